import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createMenuItem } from '#contracts/catalogue'
import { closeDays, getClosure, undoClosure } from '#contracts/closures'
import { createCycle, listCycles } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { verifyPending } from '#contracts/transfers'
import { registerParent, signIn, type Client } from '../src/app/demo/client'
import { ofItsOwn } from '../tests/support/school-events'
import { resting, startProgram, superadminPassword, type Program } from './program'
import type { Line } from './report'
import { monday, opening } from './school'
import { cpuMs } from './usage'

type Closing = { program: Program; client: Client }
type Act = { program: Program; client: Client; what: string; atMost: number; act: () => Promise<number> }

export const closingLines = async ({ program, client }: Closing, atMost = 3_000): Promise<Line[]> =>
  (await closing({ program, client }, atMost)).lines

const closing = async ({ program, client }: Closing, atMost: number) => {
  const cycle = (await client.call(listCycles)).find(({ isActive }) => isActive)!
  const body = { dates: [monday], reason: 'The oven is broken', remedy: 'refund' as const }
  let id = ''
  const lines = await measured({
    program,
    client,
    what: 'closing',
    atMost,
    act: async () => {
      let now = await client.call(closeDays, { params: { id: cycle.id }, body })
      id = now.id
      for (; now.done < now.total; now = await client.call(getClosure, { params: { id } })) await pause(50)
      return now.total
    },
  })
  return { id, lines }
}

/** Asking again while the undo runs answers its progress. */
const undoing = ({ program, client }: Closing, id: string, orders: number, atMost: number) =>
  measured({
    program,
    client,
    what: 'opening again',
    atMost,
    act: async () => {
      for (let looked = 0; looked < orders; await pause(50)) {
        const { restored, notRestored } = await client.call(undoClosure, { params: { id } })
        if (notRestored.length > 0) throw new Error(`Not restored: ${JSON.stringify(notRestored[0])}`)
        looked = restored
      }
      return orders
    },
  })

/** Times an act on a day and what others wait meanwhile. `act` answers the number of orders. */
const measured = async ({ program, client, what, atMost, act }: Act): Promise<Line[]> => {
  const acting = { isOver: false }
  const waits: number[] = []
  const others = async () => {
    while (!acting.isOver) {
      const asked = performance.now()
      await client.call(listCycles)
      waits.push(performance.now() - asked)
      await pause(20)
    }
  }
  const looking = others()
  const before = cpuMs(program.pid)
  const began = performance.now()
  const orders = await act()
  const value = cpuMs(program.pid) - before
  const tookMs = performance.now() - began
  acting.isOver = true
  await looking
  const slowest = Math.max(...waits)
  return [
    {
      what: `${what} a day of ${orders} orders`,
      figure: { value, unit: 'server ms' },
      targets: [{ name: 'server ms', value, atMost }],
    },
    { what: `${what}, until it is done`, figure: { value: tookMs, unit: 'ms' } },
    {
      what: `${what}, the slowest answer to somebody else meanwhile`,
      figure: { value: slowest, unit: 'ms' },
      targets: [{ name: 'ms', value: slowest, atMost: 200 }],
    },
  ]
}

const childrenEach = 12

/** A day of paid orders closed and reopened, with events in the database and, given an address, in EventStoreDB; each in a new school. */
export const closingInStores = async (
  folder: string,
  eventStoreUrl: string | null,
  orders: number,
): Promise<Line[]> => {
  const stores: { store: string; variables: Record<string, string>; atMost: number }[] = [
    { store: 'Postgres', variables: {}, atMost: 3_000 },
  ]
  if (eventStoreUrl !== null) {
    const variables = { EVENTSTORE_URL: ofItsOwn(eventStoreUrl) }
    stores.push({ store: 'EventStoreDB', variables, atMost: 12_000 })
  }
  const lines: Line[] = []
  for (const { store, variables, atMost } of stores) {
    const program = await startProgram(join(folder, store), opening, undefined, variables)
    try {
      const client = await signIn(program.url, 'superadmin', superadminPassword)
      await orderAll(program.url, client, orders)
      await resting(program)
      const { id, lines: closed } = await closing({ program, client }, atMost)
      await resting(program)
      const opened = await undoing({ program, client }, id, orders, atMost)
      lines.push(...[...closed, ...opened].map((line) => ({ ...line, what: `${store}: ${line.what}` })))
    } finally {
      await program.stop()
    }
  }
  return lines
}

const orderAll = async (url: string, office: Client, orders: number): Promise<void> => {
  const { id: menuItemId } = await office.call(createMenuItem, { body: stew })
  await office.call(createCycle, { body: { startDate: monday, cycleLength: 6, blockedDays: [] } })
  await office.call(savePaymentBypass, { body: { ...byHand, currentPassword: superadminPassword } })
  for (let from = 0; from < orders; from += childrenEach) {
    const username = `family${from}`
    const account = {
      username,
      password: 'bench-parent',
      name: 'Bwalya Phiri',
      email: `${username}@example.com`,
    }
    const client = await registerParent(url, account)
    const cartItems = []
    for (let child = from; child < Math.min(from + childrenEach, orders); child += 1) {
      const { id } = await client.call(addStudent, { body: { name: `Child ${child}`, grade: '3' } })
      cartItems.push(lineFor(menuItemId, id))
    }
    const { orders: placed } = await client.call(placeOrders, { body: cartItems })
    await office.call(verifyPending, { body: { orderIds: placed.map(({ id }) => id) } })
  }
}

const stew = {
  name: 'Stew',
  price: '45.50',
  type: 'primary' as const,
  weekNumbers: [1, 2, 3, 4, 5, 6],
  daysOfWeek: [1, 2, 3, 4, 5],
  categories: ['beef' as const],
  sideDishes: [],
  allergens: [],
  proteinDescriptions: {},
  isAvailable: true,
  imageUrl: null,
  description: null,
}

const lineFor = (menuItemId: number, studentId: number) => ({
  menuItemId,
  studentId,
  weekNumber: 1,
  dayOfWeek: 1,
  category: 'beef' as const,
  sideDish: null,
  comments: '',
  originalPrice: 45.5,
})

const byHand = {
  enabled: true,
  beside: false,
  prompt: false,
  unpaidUntil: 'never' as const,
  airtelMoney: { name: 'Bench School', number: '0970 000 001' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
}
