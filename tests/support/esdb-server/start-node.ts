import { ServerCredentials, type Server } from '@grpc/grpc-js'
import { nodeServer } from './node-calls'
import {
  type Calls,
  type Fate,
  type NodeState,
  type TransactionLog,
  foreignRecord,
  transactionLog,
} from './node-state'

const mebibyte = 1024 * 1024

export type EsdbNode = {
  log: TransactionLog
  calls: Calls
  url: () => string
  /** Where the node is, for an address with several. */
  port: () => number
  /** What becomes of the appends that come next, in turn. */
  next: (...fates: Fate[]) => void
  /** Stores the appends that were late. */
  releaseLate: () => void
  /** From now on the node at another port leads, or with null this one again. */
  follow: (leaderPort: number | null) => void
  /** Who leads when this one is deposed. */
  leaveTo: (heirPort: number) => void
  /** From now on only who has this user and password may call. */
  admitOnly: (user: string, password: string) => void
  openSubscriptions: () => number
  /** Ends all subscriptions as a node does that goes away. */
  dropSubscriptions: () => void
  /** Breaks every connection and answers no more, as a killed process. */
  stop: () => void
  /** On the same port, with all that was stored. */
  start: () => Promise<void>
}

/**
 * One node of EventStoreDB on a free port of this machine, with its log in memory, speaking the protocol of the
 * client's own definitions. Nodes that share a log are a cluster. It can be told to misbehave.
 */
export const startNode = async (
  settings: { log?: TransactionLog; maxAppendBytes?: number; tls?: { key: Buffer; cert: Buffer } } = {},
): Promise<EsdbNode> => {
  const node: NodeState = {
    log: settings.log ?? newLog(),
    maxAppendBytes: settings.maxAppendBytes ?? 4 * mebibyte,
    port: 0,
    leader: null,
    heir: null,
    fates: [],
    underWay: 0,
    late: [],
    subscriptions: new Set(),
    authorization: null,
    calls: { appends: 0, appendsAtOnce: 0, subscribedFrom: [], eventsSent: 0, eventsReadBackwards: 0 },
  }
  const { tls } = settings
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }])
    : ServerCredentials.createInsecure()
  let server: Server | null = null
  const start = async () => {
    server = nodeServer(node)
    node.port = await listen(server, node.port, credentials)
  }
  await start()
  return {
    log: node.log,
    calls: node.calls,
    url: () => `esdb://127.0.0.1:${node.port}${tls ? '' : '?tls=false'}`,
    port: () => node.port,
    next: (...fates) => void node.fates.push(...fates),
    releaseLate: () => node.late.splice(0).forEach((store) => store()),
    follow: (leader) => void (node.leader = leader),
    leaveTo: (heir) => void (node.heir = heir),
    admitOnly: (user, password) =>
      void (node.authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`),
    openSubscriptions: () => node.subscriptions.size,
    dropSubscriptions: () => [...node.subscriptions].forEach((drop) => drop()),
    stop: () => server?.forceShutdown(),
    start,
  }
}

// A new server has written events of its own before the first one of ours.
const newLog = () => {
  const log = transactionLog()
  log.append('$settings', 'any', [foreignRecord('update', 1)])
  log.append('$user-admin', 'any', [foreignRecord('$UserCreated', 2)])
  return log
}

const listen = (server: Server, port: number, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
