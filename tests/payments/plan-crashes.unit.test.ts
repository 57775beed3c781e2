import { instantAt } from '#kernel/school-time'
import { planStore, planWeek } from '#modules/ordering/plan/plans.commands'
import { loadPortions } from '#modules/ordering/portions/portions.view'
import { carryOn, carryOutPlan, type CarryNeeds } from '#modules/payments/plan/carry-out-plan.commands'
import { planAttempt } from '#modules/payments/plan/plan-way.commands'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { chanda, cycle, mary, nshima, zone } from '../ordering/lunches'
import { standIn } from '../support/stand-ins'
import { bank } from './machine/bank'
import { Crash, type Death } from './machine/failing-store'
import { serviceProcess, type Environment } from './machine/process'
import { tablesInMemory } from './machine/tables'

const week = '2026-09-21'
const by = { actor: 'job:carry-out-plans', correlationId: 'plan' }
const sunday = (hour: number, minute: number) => instantAt('2026-09-20', hour, minute, zone)
const at = { day: 0, hour: 17, minute: 0 }

/** A school in memory with Mary's plan for two days of Chanda's, and what becomes of it. */
const planWorld = (isSplit: boolean) => {
  const store = memoryEventStore()
  const provider = bank()
  const letters = new Set<string>()
  const around: Environment = {
    store,
    isSplit,
    database: tablesInMemory(store),
    viewsInclude: async () => {},
    provider: provider.port,
    clock: { now: sunday(16, 40) },
    pause: async () => {},
    school: {
      cycle,
      items: [nshima],
      childrenOf: new Map([[mary, [chanda]]]),
      discountOf: () => 0,
      hasPrompts: true,
      isBroken: false,
    },
  }

  const plansOf = (death: Death | null) => {
    const { needs, place, start, settle, attemptOf, sweeps, isDead } = serviceProcess(around, death)
    const portions = loadPortions(standIn(needs), async () => [])
    const planning = { ...needs, portions, discountOf: async () => () => ({ percentage: 0, sponsor: null }) }
    const carry: CarryNeeds = standIn({
      ...needs,
      place,
      start,
      publicUrl: 'https://lunch.school.test',
      ordering: {
        ...needs.ordering,
        plans: planStore(standIn(planning)),
        planWeek: planWeek(standIn(planning)),
      },
      identity: {
        ...needs.identity,
        verifiedContactOf: async () => ({ phone: '0977 600 001', isAny: true }),
        studentNamesOf: async () => new Map([[chanda.id, 'Chanda']]),
        personOf: async () => standIn({ name: 'Mary', username: 'mary', email: null, phone: '0977600001' }),
      },
      messaging: {
        messageUser: async (_user: number, _letter: unknown, cause: string) => !!letters.add(cause),
      },
    })
    return { carry, settle, attemptOf, sweeps, isDead }
  }

  const setPlan = async () => {
    const dish = { menuItemId: nshima.id, category: 'beef', sideDish: 'Cabbage', price: 4550 }
    const plan = {
      children: [{ studentId: chanda.id, days: [1, 2].map((day) => ({ day, dishes: [dish] })) }],
      at,
      pay: { by: 'prompt' as const, network: 'airtel' as const },
      weekLimit: null,
    }
    await plansOf(null).carry.ordering.plans.change(mary, by, () => ({
      kind: 'set',
      plan,
      paused: false,
      fromWeek: week,
    }))
  }

  /** What the sweeps do of the plan at this minute. */
  const sweepAt = async (process: ReturnType<typeof plansOf>, hour: number, minute: number) => {
    around.clock.now = sunday(hour, minute)
    const { announced } = await process.carry.ordering.plans.stateOf(mary)
    const due = { userId: mary, week, at, byPrompt: true, announced, place: 0, among: 1 }
    await carryOutPlan(process.carry)(due, by)
    await carryOn(process.carry, mary, week, by)
  }

  const told = async (stream: string) =>
    ((await store.read([stream])).get(stream) ?? []).map(({ type }) => type.split('.')[1]!)
  const prompts = () => [...provider.accounts.values()].flatMap((account) => account.prompts).length
  return { plansOf, setPlan, sweepAt, told, prompts, provider, letters, around }
}

const minutes: [hour: number, minute: number][] = [
  [16, 50],
  [17, 0],
  [17, 1],
  [17, 3],
]

const deathsWithin = (appends: number): Death[] =>
  Array.from({ length: appends }, (_, step) => step).flatMap((step) => [
    { at: step, when: 'before' },
    { at: step, when: 'after' },
  ])

const unlessCrash = (error: unknown): void => {
  if (!(error instanceof Crash)) throw error
}

describe.each([
  ['in one transaction', false],
  ['stream after stream', true],
])('a process that dies while it carries out a plan, with a store that appends %s', (_name, isSplit) => {
  const appends = isSplit ? 8 : 5
  test.each(deathsWithin(appends))(
    '$when append $at: the week is asked for once at most, and ordered once',
    async (death) => {
      const world = planWorld(isSplit)
      await world.setPlan()
      const dying = world.plansOf(death)
      for (const [hour, minute] of minutes) await world.sweepAt(dying, hour, minute).catch(unlessCrash)
      expect(dying.isDead()).toBe(true)
      const living = world.plansOf(null)
      for (const [hour, minute] of [...minutes, [17, 10], [17, 11], [17, 12]] as typeof minutes)
        await world.sweepAt(living, hour, minute)
      expect(world.letters.has(`plan-announced-${mary}-${week}`)).toBe(true)
      expect(
        (await world.told(`plan-${mary}`)).filter((told) => told === 'plan-week-announced'),
      ).toHaveLength(1)
      expect(world.prompts()).toBeLessThanOrEqual(1)
      const attempt = await living.attemptOf(planAttempt(mary, week, 1))
      if (attempt.status === 'none' || !attempt.token) throw new Error('No checkout')
      world.provider.paid(attempt.token.token)
      await living.settle(attempt.checkout.attemptId, { source: 'sweep' }, by)
      for (const { run } of living.sweeps) await run()
      for (const date of [week, '2026-09-22'])
        expect(
          (await world.told(`mealSlot-${chanda.id}.${date}`)).filter((told) => told === 'lunch-ordered'),
        ).toEqual(['lunch-ordered'])
    },
  )
})

const unkindnesses: Record<string, (provider: ReturnType<typeof bank>) => void> = {
  'loses the answer to the prompt': ({ mood }) => void (mood.prompts = 'lost'),
  'loses the answer with the token': ({ mood }) => void (mood.creates = 'answer lost'),
  'makes no token': ({ mood }) => void (mood.creates = 'badly'),
  'refuses the prompt': ({ mood }) => void (mood.prompts = { kind: 'refused', code: '999', explanation: '' }),
  'answers no question': ({ mood }) => void (mood.outage = 50),
}

describe.each(Object.entries(unkindnesses))('a provider that %s, while processes die', (_name, unkind) => {
  test.each(deathsWithin(5))(
    '$when append $at: the phone is asked once at most, and no day is ordered twice or unpaid',
    async (death) => {
      const world = planWorld(false)
      await world.setPlan()
      unkind(world.provider)
      const [dying, other] = [world.plansOf(death), world.plansOf(null)]
      for (const [hour, minute] of [...minutes, [17, 10], [17, 45]] as typeof minutes)
        await Promise.all(
          [dying, other].map((process) => world.sweepAt(process, hour, minute).catch(unlessCrash)),
        )
      world.provider.mood.outage = 0
      const attempt = await other.attemptOf(planAttempt(mary, week, 1))
      if (attempt.status !== 'none') await other.settle(attempt.checkout.attemptId, { source: 'sweep' }, by)
      await world.sweepAt(other, 18, 45)
      const told = await world.told(`plan-${mary}`)
      expect(told.filter((event) => event === 'plan-week-announced')).toHaveLength(1)
      expect(world.prompts()).toBeLessThanOrEqual(1)
      for (const date of [week, '2026-09-22'])
        expect(await world.told(`mealSlot-${chanda.id}.${date}`)).not.toContain('lunch-ordered')
    },
  )
})

describe('a provider at its unkindest', () => {
  const carriedOut = async (unkind: (world: ReturnType<typeof planWorld>) => void) => {
    const world = planWorld(false)
    await world.setPlan()
    const process = world.plansOf(null)
    await world.sweepAt(process, 16, 50)
    unkind(world)
    await world.sweepAt(process, 17, 0)
    await world.sweepAt(process, 17, 2)
    await world.sweepAt(process, 17, 20)
    const told = await world.told(`plan-${mary}`)
    return { ...world, process, told }
  }

  test('whose answer to the prompt is lost is asked no second time', async () => {
    const { prompts, told } = await carriedOut(({ provider }) => void (provider.mood.prompts = 'lost'))
    expect(prompts()).toBe(1)
    expect(told.at(-1)).toBe('plan-week-begun')
  })

  test('that offers no network fails the week, which is told once', async () => {
    const { prompts, told, letters } = await carriedOut(
      ({ provider }) => void (provider.mood.options = { kind: 'options', options: [] }),
    )
    expect(prompts()).toBe(0)
    expect(told.at(-1)).toBe('plan-week-turned')
    expect(letters.has(`plan-failed-${mary}-${week}-1`)).toBe(true)
  })

  test('that makes no token fails the week, and the days are free again', async () => {
    const {
      told,
      told: events,
      process,
    } = await carriedOut(({ provider }) => void (provider.mood.creates = 'badly'))
    expect(told.filter((event) => event === 'plan-week-begun')).toHaveLength(1)
    expect(events.at(-1)).toBe('plan-week-turned')
    const attempt = await process.attemptOf(planAttempt(mary, week, 1))
    expect(attempt.status).toBe('create_failed')
  })

  test('and a meal that is taken off the menu in that minute is left out', async () => {
    const { told, prompts } = await carriedOut(({ around }) => {
      around.school.items = []
    })
    expect(told.slice(-2)).toEqual(['plan-week-begun', 'plan-week-turned'])
    expect(prompts()).toBe(0)
  })
})
