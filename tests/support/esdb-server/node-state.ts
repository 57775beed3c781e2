import type { Metadata } from '@grpc/grpc-js'
import { accessDenied, notLeader, type Refused, unauthenticated } from './refusals'
import type { TransactionLog } from './transaction-log'

/**
 * What becomes of one append. Stored: `answer lost` (the deadline passed meanwhile), `timed out` (the server gave up
 * waiting), `silence` (no answer at all), `no position` (the answer leaves it out). Not stored: `too busy`,
 * `not leader` (though it is the leader by the next call). `late` exceeds the deadline and is stored when released.
 * With `deposed` the answer is lost and the heir leads from then on: stored, or with `deposed before` not.
 */
export type Fate =
  | 'answer lost'
  | 'timed out'
  | 'silence'
  | 'no position'
  | 'too busy'
  | 'not leader'
  | 'late'
  | 'deposed'
  | 'deposed before'

/** What the calls of one node share. It outlives a stop, as a disk does. */
export type NodeState = {
  log: TransactionLog
  maxAppendBytes: number
  port: number
  /** The port of the node that leads; null when it is this one. */
  leader: number | null
  /** The port of the node that leads when this one is deposed. */
  heir: number | null
  /** The `authorization` that lets a call in; null when anyone may call. */
  authorization: string | null
  fates: Fate[]
  /** Appends that were begun and not answered. */
  underWay: number
  late: (() => void)[]
  /** Ends each running subscription, as a node does that goes away. */
  subscriptions: Set<() => void>
  calls: Calls
}

/** What has come: appends, and where each subscription began (-1 at the start); and the events sent to those and to reads backwards. */
export type Calls = {
  appends: number
  /** So many were under way at the same time. */
  appendsAtOnce: number
  subscribedFrom: bigint[]
  eventsSent: number
  eventsReadBackwards: number
}

/** Why this node does not take a call at all; null when it does. */
export const turnedAway = (node: NodeState, metadata: Metadata): Refused | null => {
  const { authorization } = node
  const given = metadata.get('authorization')[0]
  if (authorization !== null && given !== authorization)
    return given === undefined ? accessDenied() : unauthenticated()
  const wantsLeader = metadata.get('requires-leader')[0] === 'true'
  return wantsLeader && node.leader !== null ? notLeader(node.leader) : null
}
