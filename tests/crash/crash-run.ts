import { setTimeout as pause } from 'node:timers/promises'
import { smsGateway, type TakenSms } from '../support/sms-gateway'
import { type Acknowledged, acknowledgements, joinFamily, workInOffice } from './family'
import { eveOfCycle, isAnnouncement, offerPlans, planOfFamily, plansAskedBy, plansToAsk } from './plans'
import { openCrashSchool } from './school'
import { type Stage, randomOf, deathNames, monday, onStage, PromiseBroken, within } from './stage'
import { lookQuickly, lookThoroughly, openBesides } from './whole-school'

export type CrashOptions = {
  crashes: number
  seed: number
  families: number
  /** Requests that are answered between two deaths, at most. */
  busyFor: number
  /** Crashes between two thorough looks at everything; there is always one at the end. */
  thoroughEvery: number
  /** More of the program's variables, e.g. REDIS_URL. */
  variables?: Record<string, string>
  onCrash?: (done: number, what: string) => void
}

export type CrashFigures = {
  acknowledged: Acknowledged
  events: number
  /** Weeks that plans ordered, by what became of them. */
  weeks: Record<string, number>
  deaths: Record<string, number>
  /** From the start to the first good answer, in ms. */
  starts: number[]
}

const hourMs = 3_600_000

/**
 * Kills the program under load, starts it again on the same data, and looks whether what it acknowledged still holds.
 * Throws PromiseBroken.
 */
export const crashAgainAndAgain = async (options: CrashOptions): Promise<CrashFigures> => {
  const gateway = await smsGateway()
  const sms = { SMS_URL: gateway.url, SMS_USERNAME: 'school', SMS_API_KEY: 'key' }
  const variables = { ...options.variables, ...sms }
  return onStage({ seed: options.seed, variables, opens: eveOfCycle }, (stage) =>
    live(stage, options, gateway.taken),
  ).finally(gateway.close)
}

const live = async (stage: Stage, options: CrashOptions, sms: readonly TakenSms[]): Promise<CrashFigures> => {
  const { place, random } = stage
  const url = `http://127.0.0.1:${place.port}`
  const acknowledged = { ...acknowledgements(), sms }
  const school = await openCrashSchool(url, monday)
  await offerPlans(school.office)
  const people = [workInOffice(school.office, acknowledged, randomOf(random.seed()))]
  for (let family = 1; family <= options.families; family += 1) {
    const own = randomOf(random.seed())
    people.push(await joinFamily(url, `family${family}`, school, acknowledged, own, planOfFamily(family)))
  }
  let [events, weeks] = [0, {} as Record<string, number>]
  for (let done = 0; done < options.crashes;) {
    const until = Math.min(done + options.thoroughEvery, options.crashes)
    done = await workAndDie(stage, people, acknowledged, { ...options, from: done, until })
    options.onCrash?.(done, 'looking at everything')
    stage.putClockOn(hourMs)
    await stage.kill(random.pick(deathNames))
    await stage.start()
    const looked = await lookThoroughly(place, stage.clock, acknowledged)
    if (looked.broken.length > 0) throw new PromiseBroken(looked.broken.join('\n'))
    ;({ events, weeks } = looked)
  }
  return { acknowledged, events, weeks, deaths: stage.died, starts: stage.starts }
}

type Round = Pick<CrashOptions, 'busyFor' | 'onCrash'> & { from: number; until: number }

/** People work while the program dies again and again; ends when everybody has had the last answer. */
const workAndDie = async (
  stage: Stage,
  people: ((shift: { over: () => boolean }) => Promise<void>)[],
  acknowledged: Acknowledged,
  { from, until, busyFor, onCrash }: Round,
): Promise<number> => {
  const { random, place } = stage
  let over = false
  const working = Promise.all(people.map((work) => work({ over: () => over })))
  const dying = async () => {
    for (let done = from + 1; done <= until; done += 1) {
      await untilSomeWork(acknowledged, 1 + random.below(busyFor))
      if (stage.clock() < plansAskedBy) await untilAnnounced(acknowledged, random.below(planLifeMs))
      await pause(random.below(80))
      const death = random.pick(deathNames)
      await stage.kill(death)
      stage.putClockOn(towardsPlans(stage.clock(), until - done))
      if (random.chance(0.1)) await stage.stumble()
      await stage.start()
      if (done % quickEvery === 0) {
        const broken = await lookQuickly(place, stage.clock, acknowledged)
        if (broken.length > 0) throw new PromiseBroken(broken.join('\n'))
      }
      onCrash?.(done, death)
    }
    await untilPlansAsked(stage)
    over = true
  }
  try {
    await Promise.race([dying(), working])
    await working
  } finally {
    over = true
  }
  return until
}

const hasteShare = 0.7

/** So many ms further that the plans have asked while some crashes are still to come. */
const towardsPlans = (now: Date, crashesLeft: number): number =>
  Math.max(0, plansAskedBy.getTime() - now.getTime()) / Math.max(1, Math.ceil(crashesLeft * hasteShare))

// The sweeps that carry plans out come every five seconds.
const planLifeMs = 12_000

/** Waits so long, or until a plan is announced by SMS, which has yet to be noted. */
const untilAnnounced = async ({ sms }: Acknowledged, ms: number): Promise<void> => {
  const handed = () => sms.filter(isAnnouncement).length
  const before = handed()
  for (const end = Date.now() + ms; Date.now() < end && handed() === before;) await pause(10)
}

/** The families answer their phones meanwhile. */
const untilPlansAsked = ({ place, clock }: Stage): Promise<boolean> =>
  openBesides(place, clock, ({ database }) =>
    within(plansPatienceMs, async () => (await plansToAsk(database.pool)) === 0),
  )

const plansPatienceMs = 120_000
const quickEvery = 5
const workPatienceMs = 6_000

/** Waits until that many more requests have been answered: on a slow machine as on a fast one, it dies at work. */
const untilSomeWork = async (acknowledged: Acknowledged, answers: number): Promise<void> => {
  const enough = acknowledged.answers + answers
  const giveUpAt = Date.now() + workPatienceMs
  while (acknowledged.answers < enough && Date.now() < giveUpAt) await pause(5)
}
