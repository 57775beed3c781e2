import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { bookPrograms, closeDay, getAccounts, monthJournal, saveAccounts } from '#contracts/books'
import { createMenuItem, type MenuItem } from '#contracts/catalogue'
import { listCreditBalances, payOutCredits } from '#contracts/credit-balances'
import { myDiscounts, pricedFor } from '#contracts/discounts'
import { setOrderStatus } from '#contracts/kitchen'
import { createDiscountCode } from '#contracts/order-reports'
import { cancelOrder, placeOrders, type CartLine } from '#contracts/ordering'
import { orderPlanWeek, pausePlan, skipPlanDay, type PlanPay } from '#contracts/plan'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { verifyPending } from '#contracts/transfers'
import { addDays, cyclePlace, mondayOf, schoolMoment, weekdayOf, type SchoolDate } from '#kernel/school-time'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import { CallRefused } from '../../src/app/demo/client'
import { payByCard } from '../../src/app/demo/ordering'
import { openPlanSchool, ordersOf, set, type PlanSchool } from '../payments/plan-school'
import { silentLog } from '../support/start-postgres'
import { tries } from '../support/tries'

const zone = 'Africa/Lusaka'
const hourMs = 3_600_000

type Family = Awaited<ReturnType<PlanSchool['planner']>> & { number: string }
type World = {
  school: PlanSchool
  families: Family[]
  dishes: MenuItem[]
  next: (below: number) => number
  /** Answered so far. */
  prompts: number
}

const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } })
const someOf = <Item>({ next }: World, items: readonly Item[]): Item => items[next(items.length)]!
const today = ({ school }: World) => schoolMoment(school.now(), zone).date

/** One of the next eight school days. */
const someDate = (world: World): SchoolDate => {
  const date = addDays(today(world), 1 + world.next(10))
  return weekdayOf(date) > 5 ? addDays(date, 3) : date
}

/** A dish at what the child pays. */
const someLine = async (world: World, { parent, child }: Family): Promise<CartLine> => {
  const { children } = await parent.call(myDiscounts)
  const percentage = children.find(({ studentId }) => studentId === child.id)?.discountPercentage ?? 0
  const dish = someOf(world, world.dishes)
  const priced = pricedFor(dish, percentage)
  const { weekNumber, dayOfWeek } = cyclePlace('2026-09-14', someDate(world))
  return {
    menuItemId: dish.id,
    studentId: child.id,
    weekNumber,
    dayOfWeek,
    category: 'beef',
    sideDish: null,
    originalPrice: Number(dish.price),
    discountedPrice: Number(priced.discountPrice ?? dish.price),
    discountPercentage: percentage,
  }
}

const byPhone: PlanPay = { by: 'prompt', network: 'airtel' }
const ways: PlanPay[] = [byPhone, byPhone, { by: 'credit' }, { by: 'bank' }]

/** A later hour of the week than now orders the next one. */
const setPlan = (world: World, { parent, child }: Family) => {
  const dishes = world.dishes.map(({ id, price }) => ({
    menuItemId: id,
    category: 'beef',
    sideDish: null,
    price: Number(price),
  }))
  const days = [1, 2, 3, 4, 5].slice(world.next(3)).map((day) => ({ day, dishes }))
  const at = { day: someOf(world, [5, 6, 0]), hour: 11 + world.next(9), minute: 0 }
  const [pay, weekLimit] = [someOf(world, ways), someOf(world, [null, 100])]
  return set(parent, { children: [{ studentId: child.id, days }], at, pay, weekLimit })
}

/** What waits on a phone is answered, or runs out. */
const lookAtPhones = async (world: World): Promise<void> => {
  for (const { number } of world.families)
    world.prompts += await world.school.onPhone(number, someOf(world, ['approve', 'approve', 'not-enough']))
}

const month = '2026-09'

const closeDays = async (world: World): Promise<void> => {
  const office = world.school.superadminClient
  const { days } = await office.call(monthJournal, { query: { month } })
  const open = days.filter(({ date, closed }) => !closed && date < today(world))
  for (const { date } of open) await office.call(closeDay, { body: { date }, ...keyed() })
}

/** Once the month is over: every program's file is had. */
const exportMonth = async (world: World): Promise<void> => {
  world.school.setClock('2026-10-01T08:00:00+02:00')
  await world.school.sweep()
  await closeDays(world)
  for (const program of bookPrograms) {
    const file = await world.school.superadminClient.fetch(
      `/api/books/journal/csv?month=${month}&for=${program}`,
    )
    expect([program, file.status]).toEqual([program, 200])
  }
}

/** What people do; whatever is refused is no part of the history. */
const acts: Record<string, (world: World) => Promise<unknown>> = {
  'orders by transfer': async (world) => {
    const family = someOf(world, world.families)
    const cartItems = [await someLine(world, family)]
    await family.parent.call(placeOrders, { body: { cartItems, payBy: 'bank' }, ...keyed() })
  },
  'orders by card': async (world) => {
    const family = someOf(world, world.families)
    await payByCard(family.parent, [await someLine(world, family)], someOf(world, ['pay', 'pay', 'decline']))
  },
  'sets a plan': (world) => setPlan(world, someOf(world, world.families)),
  'pauses a plan, or goes on': (world) =>
    someOf(world, world.families).parent.call(pausePlan, { body: { paused: world.next(3) === 0 } }),
  'skips a day': (world) => {
    const { parent, child } = someOf(world, world.families)
    const date = someDate(world)
    return parent.call(skipPlanDay, { body: { studentId: child.id, date, skip: true } })
  },
  'orders a week by press': (world) => {
    const week = addDays(mondayOf(today(world)), 7 * world.next(2))
    return someOf(world, world.families).parent.call(orderPlanWeek, { body: { week }, ...keyed() })
  },
  'gives a sponsor': (world) => {
    const { userId, child } = someOf(world, world.families)
    return world.school.superadminClient.call(createDiscountCode, {
      body: {
        code: randomUUID(),
        userId,
        studentId: child.id,
        sponsor: someOf(world, ['Zebra Foundation', 'Rotary']),
        discountPercentage: someOf(world, [10, 33, 33, 100]),
        isActive: true,
      },
    })
  },
  'gives credit': (world) => world.school.gift(someOf(world, world.families).userId, 20 + world.next(80)),
  'confirms a transfer': async (world) => {
    const orders = await Promise.all(world.families.map(({ parent }) => ordersOf(parent)))
    const unpaid = orders
      .flat()
      .filter(({ status, paymentStatus }) => paymentStatus === 'pending' && status === 'pending')
    const orderIds = [someOf(world, unpaid)?.id ?? 'none']
    const transactionId = randomUUID()
    await world.school.superadminClient.call(verifyPending, { body: { orderIds, transactionId }, ...keyed() })
  },
  'cancels an order': async (world) => {
    const { parent } = someOf(world, world.families)
    const id = someOf(world, await ordersOf(parent))?.id ?? 'none'
    await parent.call(cancelOrder, { params: { id }, ...keyed() })
  },
  'gives out a lunch': async (world) => {
    const id = someOf(world, await ordersOf(someOf(world, world.families).parent))?.id ?? 'none'
    await world.school.superadminClient.call(setOrderStatus, {
      body: { orderIds: [id], status: 'completed' },
    })
  },
  'pays a refund back': async (world) => {
    const { data } = await world.school.superadminClient.call(listRefunds)
    const id = someOf(world, data)?.id ?? 'none'
    const method = someOf(world, ['cash', 'bank', 'mobile_money'] as const)
    await world.school.superadminClient.call(completeRefund, { params: { id }, body: { method }, ...keyed() })
  },
  'pays every credit out': async (world) => {
    const office = world.school.superadminClient
    const { data } = await office.call(listCreditBalances, { query: {} })
    const parentIds = data.map(({ parentId }) => parentId)
    await office.call(payOutCredits, { body: { parentIds, method: 'cash' }, ...keyed() })
  },
  'closes the days': (world) => closeDays(world),
  'lets time pass': async (world) => {
    await lookAtPhones(world)
    world.school.setClock(new Date(world.school.now().getTime() + (2 + world.next(16)) * hourMs))
    // A prompt is announced ten minutes before it is asked for.
    for (let round = 0; round < 4; round += 1) {
      await world.school.sweep()
      await lookAtPhones(world)
      world.school.setClock(new Date(world.school.now().getTime() + 8 * 60_000))
    }
  },
}

const openWorld = async (school: PlanSchool, seed: number): Promise<World> => {
  const numbers = fc.sample(fc.nat(999_999), { seed, numRuns: 5_000 })
  let place = 0
  const next = (below: number) => (below === 0 ? 0 : numbers[(place += 1) % numbers.length]! % below)
  const families: Family[] = []
  for (let family = 0; family < 4; family += 1) {
    const number = `09777${seed % 10}00${family}0`.slice(0, 10)
    families.push({ ...(await school.planner(`random-${seed}-${family}`, number)), number })
  }
  const { id: _id, ...stew } = school.items.stew
  const early = await school.superadminClient.call(createMenuItem, {
    body: { ...stew, name: `Roast ${seed}`, price: '60', leadDays: 2 },
  })
  const world: World = { school, families, dishes: [early, school.items.stew as MenuItem], next, prompts: 0 }
  for (const family of families) await setPlan(world, family)
  return world
}

const newActs = [
  'sets a plan',
  'pauses a plan, or goes on',
  'skips a day',
  'orders a week by press',
  'gives a sponsor',
  'pays every credit out',
  'closes the days',
]

/** What the other acts wait for. */
const often = [
  'lets time pass',
  'lets time pass',
  'confirms a transfer',
  'cancels an order',
  'pays a refund back',
  'gives credit',
  'pays every credit out',
]

const play = async (world: World, steps: number): Promise<Map<string, number>> => {
  const names = Object.keys(acts)
  const done = new Map<string, number>()
  for (let step = 0; step < steps; step += 1) {
    const name = someOf(world, [...names, ...often])
    try {
      await acts[name]!(world)
      done.set(name, (done.get(name) ?? 0) + 1)
    } catch (error) {
      if (!(error instanceof CallRefused) || error.status >= 500) throw error
    }
  }
  return done
}

describe('the audit after a random history of plans, sponsors, payouts and closings', () => {
  let school: PlanSchool
  beforeEach(async () => {
    school = await openPlanSchool()
    const office = school.superadminClient
    const { codes, ...rest } = await office.call(getAccounts)
    const filled = Object.fromEntries(Object.keys(codes).map((name, at) => [name, String(1_000 + at)]))
    await office.call(saveAccounts, { body: { ...rest, codes: filled as typeof codes, taxCode: 'NONE' } })
  })
  afterEach(() => school.close())

  test.each(Array.from({ length: tries(2) }, (_, seed) => seed + 1))(
    'finds nothing, seed %i',
    async (seed) => {
      const world = await openWorld(school, seed)
      const done = await play(world, 120)
      await exportMonth(world)
      await school.sweep()
      const config = readConfig({ DATABASE_URL: school.databaseUrl, DATA_DIR: school.dataDir })
      const quietly = { log: silentLog, now: school.now, against: null, onProgress: () => undefined }
      const { lines, exitCode } = await auditSchool(school.infrastructure, config, quietly)
      expect([exitCode, exitCode === 0 ? '' : lines.join('\n')]).toEqual([0, ''])
      expect(newActs.filter((name) => !done.has(name))).toEqual([])
      expect(world.prompts).toBeGreaterThan(0)
    },
  )
})
