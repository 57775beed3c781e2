import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { acknowledgements, joinFamily } from '../crash/family'
import { type Place, type Program, deaths, clockRate, freePort, launch, ready } from '../crash/processes'
import { openCrashSchool } from '../crash/school'
import { randomOf } from '../crash/stage'
import { lookQuickly, lookThoroughly } from '../crash/whole-school'
import { ofItsOwn } from '../support/school-events'
import { payAcrossKill } from './card-payment'
import { clusterOf } from './cluster'
import { since, startProber } from './prober'
import { withoutMajority } from './without-majority'

/* oxlint-disable no-console -- its table is what it is for */

const address = process.env.EVENTSTORE_TEST_CLUSTER ?? ''
const command = process.env.EVENTSTORE_TEST_NODES ?? ''
const missing = Object.entries({ EVENTSTORE_TEST_CLUSTER: address, EVENTSTORE_TEST_NODES: command })
  .filter(([, value]) => value === '')
  .map(([name]) => name)
if (missing.length > 0) {
  console.error(
    `The drill takes a real cluster of three nodes. Not set: ${missing.join(', ')}. EVENTSTORE_TEST_CLUSTER is its address, EVENTSTORE_TEST_NODES a command that takes "kill" or "start" and a node as the address names it.`,
  )
  process.exit(1)
}

const monday = '2026-11-16'
const opening = new Date(`${monday}T06:30:00+02:00`).getTime()
const began = Date.now()
const hourMs = 3_600_000
let putOn = 0
const clock = () => new Date(opening + putOn + (Date.now() - began) * clockRate)

const rows: string[][] = []
const wrong: string[] = []
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const tell = (what: string, result: string, broken: string[]) => {
  rows.push([what, result])
  wrong.push(...broken.map((sentence) => `${what}: ${sentence}`))
  console.error(`${what}: ${[result, ...broken].join('; ')}`)
}

const cluster = clusterOf(address, command)
const dataDir = await mkdtemp(join(tmpdir(), 'tuckshop-drill-'))
const place: Place = { dataDir, port: await freePort(), variables: { EVENTSTORE_URL: ofItsOwn(address) } }
const url = `http://127.0.0.1:${place.port}`
let program: Program = launch(place, clock())
process.once('exit', () => program.child.kill('SIGKILL'))
const restart = async () => {
  deaths.server(program.pid)
  await program.gone
  program = launch(place, clock())
}

await cluster.whole()
await ready(program, place)
const acknowledged = acknowledgements()
const school = await openCrashSchool(url, monday)
const families = []
for (let family = 1; family <= 3; family += 1)
  families.push(await joinFamily(url, `family${family}`, school, acknowledged, randomOf(family)))
const prober = await startProber(url, school, acknowledged)
let over = false
const working = Promise.all(families.map((work) => work({ over: () => over })))

const restMs = 5_000
const leaderKilled = async () => {
  const from = Date.now()
  const leader = (await cluster.leader())!
  cluster.kill(leader)
  await cluster.led()
  await pause(restMs)
  const { longestMs, refused, otherCodes } = since(prober.tried, from)
  cluster.start(leader)
  await cluster.whole()
  const result = `longest pause ${seconds(longestMs)}, ${refused} refused`
  tell('leader killed under load', result, otherCodes)
}
for (let time = 1; time <= 3; time += 1) await leaderKilled()

const paid = await payAcrossKill({ url, school, acknowledged, cluster, key: randomUUID() })
tell(
  'card payment, leader killed between paying and verifying',
  `settled after ${seconds(paid.ms)}`,
  paid.broken,
)

const { outage, broken } = await withoutMajority({
  url,
  cluster,
  prober,
  restart,
  isGone: () => program.isGone(),
})
for (const [what, result] of outage) tell(what, result, [])
tell('all of that', broken.length === 0 ? 'as promised' : 'not as promised', broken)

await restart()
cluster.kill((await cluster.leader())!)
await ready(program, place)
tell('process and leader killed at once', 'started again', [])
for (const node of cluster.nodes) cluster.start(node)
await cluster.whole()
over = true
await Promise.all([working, prober.stop()])
const quick = await lookQuickly(place, clock, acknowledged)
tell(
  'acknowledged orders, cancellations, completions',
  `${acknowledged.placed.size} orders, each there once`,
  quick,
)

putOn += hourMs
await restart()
await ready(program, place)
const looked = await lookThoroughly(place, clock, acknowledged)
tell('money, read models, audit afterwards', `${looked.events} events, balanced`, looked.broken)
program.child.kill('SIGTERM')
await program.gone
await rm(dataDir, { recursive: true, force: true })

console.log(
  ['| What happens | Result |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
)
for (const sentence of wrong) console.log(`NOT AS PROMISED: ${sentence}`)
process.exit(wrong.length > 0 ? 1 : 0)
