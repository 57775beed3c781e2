import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { esdbAddress } from '../../src/adapters/event-store/esdb/connection'

export type Cluster = ReturnType<typeof clusterOf>

// A node takes every variable that begins so for an option of its own, and does not start with one it does not know.
const nodeEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_')),
)

const lookEveryMs = 100
const patienceMs = 90_000

const until = async (what: string, holds: () => Promise<boolean>) => {
  for (const end = Date.now() + patienceMs; !(await holds()); await pause(lookEveryMs))
    if (Date.now() > end) throw new Error(`The cluster is not ${what} after ${patienceMs / 1000} s`)
}

/**
 * The nodes that an address names, as `host:port`; `command` is given `kill` or `start` and one of them. A node that led
 * ends by itself soon after its return, to cut off what no other node has: what starts it must start it again then.
 */
export const clusterOf = (address: string, command: string) => {
  const nodes = esdbAddress(address)
    .shown.replace(/^.*\/\//, '')
    .split(',')
  const scheme = /tls=false/i.test(address) ? 'http' : 'https'
  const stateOf = (node: string): Promise<string> =>
    fetch(`${scheme}://${node}/info`, { signal: AbortSignal.timeout(1_000) }).then(
      async (answer) => ((await answer.json()) as { state: string }).state.toLowerCase(),
      () => 'away',
    )
  const leader = async (): Promise<string | null> => {
    for (const node of nodes) if ((await stateOf(node)) === 'leader') return node
    return null
  }
  const tell = (what: 'kill' | 'start', node: string) =>
    void execFileSync('sh', ['-c', `${command} ${what} ${node}`], { stdio: 'ignore', env: nodeEnvironment })
  return {
    nodes,
    leader,
    led: () => until('led', async () => (await leader()) !== null),
    whole: () =>
      until('whole', async () => {
        const states = await Promise.all(nodes.map(stateOf))
        const followers = states.filter((state) => state === 'follower').length
        return states.includes('leader') && followers === nodes.length - 1
      }),
    kill: (node: string) => tell('kill', node),
    start: (node: string) => tell('start', node),
  }
}
