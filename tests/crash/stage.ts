import { setTimeout as pause } from 'node:timers/promises'
import { deaths, type Death } from './processes'
import { clockRate, launch, ready, type Place, type Program } from './program'
import type { Random } from './random'

export const monday = '2026-11-16'
const opening = new Date(`${monday}T06:30:00+02:00`)

export type Stage = ReturnType<typeof stageOn>

/** The program on its place, with a clock that goes on from start to start. */
export const stageOn = (place: Place, random: Random) => {
  let program: Program | null = null
  let clockFrom = opening.getTime()
  let clockSince = Date.now()
  const starts: number[] = []
  const died: Record<string, number> = {}
  const clock = () => new Date(clockFrom + (Date.now() - clockSince) * clockRate)

  const start = async () => {
    const begun = Date.now()
    clockFrom = clock().getTime()
    clockSince = begun
    program = launch(place, clock())
    await ready(program, place)
    starts.push(Date.now() - begun)
  }
  const kill = async (death: Death) => {
    died[death] = (died[death] ?? 0) + 1
    deaths[death](program!.pid, place.dataDir)
    await program!.gone
  }
  return {
    place,
    random,
    clock,
    starts,
    died,
    start,
    kill,
    /** Dies once more before it is ready, and is started again. */
    stumble: async () => {
      died['while starting'] = (died['while starting'] ?? 0) + 1
      program = launch(place, clock())
      await Promise.race([pause(random.below(700)), program.gone])
      if (program.isGone()) throw new Error(`The program did not start:\n${program.said()}`)
      deaths[random.pick(deathNames)](program.pid, place.dataDir)
      await program.gone
    },
    said: () => program?.said().slice(-3_000) ?? 'nothing',
    putClockOn: (ms: number) => void (clockFrom += ms),
    stop: async () => {
      if (program === null || program.isGone()) return
      program.child.kill('SIGTERM')
      await program.gone
    },
  }
}

export const deathNames = Object.keys(deaths) as Death[]
