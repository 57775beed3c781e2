import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Acknowledged, acknowledgements, joinFamily, workInOffice } from './family'
import {
  type Death,
  type Place,
  type Program,
  killAfter,
  startCommand,
  toTheEnd,
  clockRate,
  freePort,
  launch,
  ready,
} from './processes'
import { openCrashSchool } from './school'
import { randomOf, type Random } from './stage'
import { restoredDiffers, schoolContents, lookQuickly, lookThoroughly, openBesides } from './whole-school'

/** A row of the table: what was killed how often, and how long /readyz answered anything but 200; null without a service. */
export type Drill = { what: string; killed: number; maxAwayMs: number | null; note: string }

export type DrillOptions = { kills: number; seed: number; onDrill: (drill: Drill) => void }

const monday = '2026-11-16'
const opening = new Date(`${monday}T06:30:00+02:00`).getTime()
const hourMs = 3_600_000

type Stage = Awaited<ReturnType<typeof openStage>>

/** A school that families use without a pause, in a folder of its own. */
const openStage = async (random: Random) => {
  const folder = await mkdtemp(join(tmpdir(), 'tuckshop-drill-'))
  const place: Place = { dataDir: join(folder, 'school'), port: await freePort(), variables: {} }
  const begun = Date.now()
  let putOn = 0
  const clock = () => new Date(opening + putOn + (Date.now() - begun) * clockRate)
  let program: Program = launch(place, clock())
  await ready(program, place)
  const acknowledged = acknowledgements()
  const url = `http://127.0.0.1:${place.port}`
  const school = await openCrashSchool(url, monday)
  let over = false
  const people = [workInOffice(school.office, acknowledged, randomOf(random.seed()))]
  for (const name of ['banda', 'mwila', 'phiri'])
    people.push(await joinFamily(url, name, school, acknowledged, randomOf(random.seed())))
  const working = Promise.all(people.map((work) => work({ over: () => over })))
  return {
    folder,
    place,
    random,
    clock,
    acknowledged,
    start: () => void (program = launch(place, clock())),
    isReady: () => ready(program, place),
    stop: async () => {
      program.child.kill('SIGTERM')
      await program.gone
    },
    stopWork: async () => {
      over = true
      await working
    },
    putClockOn: (ms: number) => void (putOn += ms),
  }
}

const isReadyNow = ({ port }: Place): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Does it and answers the longest time, in ms, in which the service was not ready meanwhile. */
const watching = async (place: Place, doIt: () => Promise<void>): Promise<number> => {
  let over = false
  let longest = 0
  const look = async () => {
    for (let lastReady = Date.now(); ; await pause(50)) {
      if (over) return
      if (await isReadyNow(place)) lastReady = Date.now()
      else longest = Math.max(longest, Date.now() - lastReady)
    }
  }
  const looking = look()
  await doIt().finally(() => (over = true))
  await looking
  return longest
}

const heldOrThrow = (what: string, broken: readonly string[]) => {
  if (broken.length > 0) throw new Error(`${what}: ${broken.join('\n')}`)
}

const acknowledgedHold = async ({ place, clock, acknowledged }: Stage, what: string) =>
  heldOrThrow(what, [...(await lookQuickly(place, clock, acknowledged)), ...acknowledged.wrong])

/** A moment of a command that takes so long when nobody kills it; Node itself needs the first fifth. */
const moment = (random: Random, wholeMs: number) => wholeMs * (0.2 + 0.8 * random.next())

/** Kills a command beside the working service again and again. Answers how often it was still running. */
const killBeside = async (
  stage: Stage,
  kills: number,
  wholeMs: number,
  words: (time: number) => string[],
) => {
  const { place, clock, random } = stage
  let killed = 0
  for (let time = 1; time <= kills; time += 1) {
    const [name, ...rest] = words(time)
    const command = startCommand(place, clock(), name!, rest)
    if (await killAfter(command, moment(random, wholeMs), 'server', place.dataDir)) killed += 1
  }
  return killed
}

const killBackups = async (stage: Stage, kills: number): Promise<Drill & { archive: string }> => {
  const { place, clock, folder } = stage
  const archives = join(folder, 'archives')
  await mkdir(archives)
  const whole = async (name: string) =>
    toTheEnd(startCommand(place, clock(), 'backup', ['--to', join(archives, name)]))
  let killed = 0
  let note = ''
  const maxAwayMs = await watching(place, async () => {
    const wholeMs = await whole('first.gz')
    killed = await killBeside(stage, kills, wholeMs, (time) => [
      'backup',
      '--to',
      join(archives, `${time}.gz`),
    ])
    await whole('last.gz')
    for (const name of await readdir(archives)) {
      if (!name.endsWith('.gz')) throw new Error(`A killed backup left ${name}`)
      await toTheEnd(startCommand(place, clock(), 'backup', ['--check', join(archives, name)]))
    }
    note = `${(await readdir(archives)).length} archives there, each restores`
    await acknowledgedHold(stage, 'After killed backups')
  })
  return { what: 'backup, under load', killed, maxAwayMs, note, archive: join(archives, 'last.gz') }
}

const killRebuilds = async (stage: Stage, kills: number): Promise<Drill> => {
  const { place, clock, acknowledged } = stage
  let killed = 0
  let answered = 0
  let wholeMs = 0
  const maxAwayMs = await watching(place, async () => {
    wholeMs = await toTheEnd(startCommand(place, clock(), 'rebuild'))
    killed = await killBeside(stage, kills, wholeMs, () => ['rebuild'])
    const before = acknowledged.answers
    wholeMs = await toTheEnd(startCommand(place, clock(), 'rebuild'))
    answered = acknowledged.answers - before
    await acknowledgedHold(stage, 'After killed rebuilds')
  })
  const note = `a whole one then took ${(wholeMs / 1_000).toFixed(1)} s; ${answered} requests were answered meanwhile`
  return { what: 'rebuild, under load', killed, maxAwayMs, note }
}

const ownerDeaths: Death[] = ['server', 'server and guard', 'everything']

/** The command runs the embedded database and is killed: the service then starts on what it left. */
const killOwners = async (stage: Stage, kills: number): Promise<Drill> => {
  const { place, clock, random } = stage
  const away: number[] = []
  for (let time = 1; time <= kills; time += 1) {
    await stage.stop()
    const command = startCommand(place, clock(), 'rebuild')
    const isKilled = await killAfter(
      command,
      600 + random.below(1_500),
      random.pick(ownerDeaths),
      place.dataDir,
    )
    const died = Date.now()
    await command.ended
    stage.start()
    await stage.isReady()
    if (isKilled) away.push(Date.now() - died)
  }
  await acknowledgedHold(stage, 'After the database was left behind')
  return {
    what: 'a command that runs the embedded database, before the service starts',
    killed: away.length,
    maxAwayMs: Math.max(0, ...away),
    note: 'the service starts on what it left',
  }
}

const deathsOfRestore: Death[] = ['server', 'server and guard', 'everything', 'server and postmaster']

const killRestores = async (stage: Stage, kills: number, archive: string): Promise<Drill> => {
  const { folder, random, clock } = stage
  const restore = (place: Place) => startCommand(place, clock(), 'restore', ['--from', archive])
  const elsewhere = (name: string): Place => ({ ...stage.place, dataDir: join(folder, name) })
  const wholeMs = await toTheEnd(restore(elsewhere('restored 0')))
  let killed = 0
  let half = 0
  for (let time = 1; time <= kills; time += 1) {
    const place = elsewhere(`restored ${time}`)
    const death = random.pick(deathsOfRestore)
    if (!(await killAfter(restore(place), moment(random, wholeMs), death, place.dataDir))) continue
    killed += 1
    const audit = startCommand(place, clock(), 'audit')
    const whole = (await audit.ended) === 0
    if (!whole && /half restored/.test(audit.said())) half += 1
    else if (!whole && !/There is no school/.test(audit.said())) throw new Error(audit.said())
    if (!whole) await toTheEnd(restore(place))
    await toTheEnd(startCommand(place, clock(), 'audit'))
    await rm(place.dataDir, { recursive: true, force: true })
  }
  return {
    what: 'restore, into a folder of its own',
    killed,
    maxAwayMs: null,
    note: `${half} left a school that said it is half restored; the same command again restored each, and it balances`,
  }
}

/** A school at rest, backed up and restored elsewhere: the same events and rows, no more and no less. */
const compareRestored = async ({ folder, place, clock }: Stage): Promise<void> => {
  const archive = join(folder, 'at rest.gz')
  const elsewhere: Place = { ...place, dataDir: join(folder, 'restored at rest') }
  const there = await openBesides(place, clock, schoolContents)
  await toTheEnd(startCommand(place, clock(), 'backup', ['--to', archive]))
  await toTheEnd(startCommand(elsewhere, clock(), 'restore', ['--from', archive]))
  const restored = await openBesides(elsewhere, clock, schoolContents)
  heldOrThrow('The restored school', restoredDiffers(there, restored))
}

const sumUp = async (stage: Stage): Promise<{ acknowledged: Acknowledged; events: number }> => {
  const { place, clock, acknowledged } = stage
  await stage.stopWork()
  await stage.stop()
  await compareRestored(stage)
  stage.putClockOn(hourMs)
  stage.start()
  await stage.isReady()
  const { broken, events } = await lookThoroughly(place, clock, acknowledged)
  heldOrThrow('In the end', [...broken, ...acknowledged.wrong])
  return { acknowledged, events }
}

/**
 * Kills the program's commands at random moments while families order, and looks each time whether what was promised
 * holds. Throws at the first that does not; the folder then stays, and its name is in the message.
 */
export const drill = async ({ kills, seed, onDrill }: DrillOptions) => {
  if (!existsSync('dist/server/start-main.js')) throw new Error('There is no build: npm run build')
  const stage = await openStage(randomOf(seed))
  try {
    const { archive, ...backups } = await killBackups(stage, kills)
    onDrill(backups)
    onDrill(await killRebuilds(stage, kills))
    onDrill(await killOwners(stage, kills))
    onDrill(await killRestores(stage, kills, archive))
    const end = await sumUp(stage)
    await stage.stop()
    await rm(stage.folder, { recursive: true, force: true })
    return end
  } catch (error) {
    await stage.stop()
    throw new Error(`The data is in ${stage.folder}.`, { cause: error })
  }
}
