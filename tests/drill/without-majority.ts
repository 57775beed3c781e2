import { setTimeout as pause } from 'node:timers/promises'
import { listMenu } from '#contracts/catalogue'
import { listOrders } from '#contracts/ordering'
import { signIn } from '../../src/app/demo/client'
import type { Cluster } from './cluster'
import { since, type Prober } from './prober'

type Needs = {
  url: string
  cluster: Cluster
  prober: Prober
  /** Kills the program and starts it again. */
  restart: () => Promise<void>
  isGone: () => boolean
}

const goneMs = 60_000
const restartAfterMs = 20_000
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Two of three nodes are killed for a minute, the program meanwhile too. Answers a table, and what is not as promised. */
export const withoutMajority = async ({ url, cluster, prober, restart, isGone }: Needs) => {
  const leader = (await cluster.leader())!
  const other = cluster.nodes.find((node) => node !== leader)!
  const from = Date.now()
  cluster.kill(leader)
  cluster.kill(other)
  const looks = []
  let restartedInMs = 0
  await pause(2_000)
  while (Date.now() < from + goneMs) {
    looks.push(await look(url))
    if (restartedInMs === 0 && Date.now() > from + restartAfterMs) {
      const begun = Date.now()
      await restart()
      await listens(url, isGone)
      restartedInMs = Date.now() - begun
    }
    await pause(2_000)
  }
  const { refused, slowestMs, otherCodes } = since(prober.tried, from)
  cluster.start(leader)
  cluster.start(other)
  await cluster.led()
  const led = Date.now()
  const taken = () => prober.tried.find(({ at, ms, status }) => status === 201 && at + ms >= led)
  while (!taken() && Date.now() < led + 30_000) await pause(50)
  const first = taken()
  const takenAfterMs = first ? first.at + first.ms - led : Infinity
  const tookBack = prober.tried.some(
    ({ at, ms, status }) => status === 201 && at > from + 1_000 && at + ms < led,
  )
  await cluster.whole()
  const failed = looks.flatMap(({ failures }) => failures)
  const readyMs = Math.max(...looks.map(({ readyMs: ms }) => ms))
  const outage: [string, string][] = [
    [
      'majority gone for 60 s: orders',
      `${refused} refused with 503, the slowest after ${seconds(slowestMs)}`,
    ],
    ['meanwhile signing in, menu and history', `${looks.length} times each, ${failed.length} failed`],
    ['meanwhile `/readyz`', `names the event store, the slowest after ${seconds(readyMs)}`],
    ['meanwhile the process killed and started', `answers after ${seconds(restartedInMs)}`],
    ['a leader again: first order taken', tookBack ? 'at once' : `after ${seconds(takenAfterMs)}`],
  ]
  const broken = [
    ...otherCodes.map((code) => `an order was refused with ${code}`),
    ...(slowestMs > 5_000 ? [`a refusal took ${seconds(slowestMs)}`] : []),
    ...(readyMs > 3_000 ? [`/readyz took ${seconds(readyMs)}`] : []),
    ...(takenAfterMs > 5_000 && !tookBack
      ? [`orders were taken ${seconds(takenAfterMs)} after the leader`]
      : []),
    ...failed,
  ]
  return { outage, broken }
}

/** What a person does who orders nothing, and the monitoring. */
const look = async (url: string) => {
  const failures: string[] = []
  const attempt = async (what: string, act: () => Promise<unknown>) =>
    act().catch((error: unknown) => void failures.push(`${what}: ${String(error)}`))
  await attempt('signing in and reading', async () => {
    const client = await signIn(url, 'prober', 'parent-password')
    await client.call(listMenu)
    await client.call(listOrders, { query: { includeAll: 'true' } })
  })
  const from = Date.now()
  await attempt('/readyz', async () => {
    const answer = await fetch(`${url}/readyz`)
    const { details } = (await answer.json()) as { details: { eventStore: boolean } }
    if (answer.status !== 503 || details.eventStore) throw new Error('it does not name the event store')
  })
  return { failures, readyMs: Date.now() - from }
}

const listens = async (url: string, isGone: () => boolean) => {
  for (;;) {
    if (isGone()) throw new Error('The program ended')
    const answer = await fetch(`${url}/healthz`).catch(() => null)
    if (answer?.status === 200) return
    await pause(50)
  }
}
