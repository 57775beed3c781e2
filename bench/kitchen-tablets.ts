import { createMenuItem, type MenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { kitchenChanges, kitchenToday, notePrint } from '#contracts/kitchen'
import { placeOrders, type CartLine } from '#contracts/ordering'
import { registerParent, signIn, type Client } from '../src/app/demo/client'
import { demoMenu } from '../src/app/demo/sample-data'
import { measure, repeated, type Measured } from './load'
import { resting, startProgram, superadminPassword } from './program'
import type { Line } from './report'
import { monday, opening, signedInLine, type Office } from './school'

const tablets = 10
const everySeconds = 15
const childrenEach = 12
const remarks = ['', '', 'No onions', '', '', 'Cut small, please', '', '', 'Gravy on the side', '', '', null]

/** Idle cost of kitchen tablets that poll a day and its changes, as share of a core (server and Postgres). */
export const tabletLines = async (
  dataDir: string,
  lunches: number,
  times: (count: number) => number,
): Promise<Line[]> => {
  const program = await startProgram(dataDir, opening)
  try {
    const client = await signIn(program.url, 'superadmin', superadminPassword)
    await orderAll(program.url, client, lunches)
    await client.call(notePrint, { body: { date: monday } })
    await resting(program)
    const office = await signedInLine(program.url, client, 'superadmin', superadminPassword)
    const read = async (what: string, path: string, status: 200 | 304, readers = tablets): Promise<Line> => {
      const look = await lookAt(office, path, status)
      const looks = (count: number) => repeated(readers, times(count), () => look)
      await measure(looks(300 / readers), program)
      return { what, measured: await measure(looks(1_000 / readers), program) }
    }
    const whole = await read(`the kitchen of ${lunches} lunches, one tablet`, kitchenToday.path, 200, 1)
    const known = await read('the same that tablets have already', kitchenToday.path, 304)
    const changes = await read('its changes', `${kitchenChanges.path}?date=${monday}`, 200)
    const p50 = { name: 'p50 ms', value: whole.measured!.p50, atMost: 30 }
    return [{ ...whole, targets: [p50] }, known, changes, ofACore([known.measured!, changes.measured!])]
  } finally {
    await program.stop()
  }
}

/** Answers an address with its ETag. */
const lookAt = async ({ line, cookie }: Office, path: string, status: 200 | 304) => {
  const { headers } = await line.send('GET', path, { cookie })
  const known: Record<string, string> = status === 304 ? { 'if-none-match': String(headers.etag) } : {}
  return async () => {
    const answer = await line.send('GET', path, { cookie, ...known })
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`)
  }
}

const ofACore = (reads: Measured[]): Line => {
  const ms = reads.reduce((sum, { serverCpu, postgresCpu }) => sum + serverCpu + postgresCpu, 0)
  const value = ((ms / 1_000) * tablets * 100) / everySeconds
  return {
    what: `${tablets} tablets that look every ${everySeconds} s`,
    figure: { value, unit: '% of a core' },
    targets: [{ name: '% of a core', value, atMost: 5 }],
  }
}

const orderAll = async (url: string, office: Client, lunches: number): Promise<void> => {
  const menu: MenuItem[] = []
  for (const item of demoMenu.filter(({ type }) => type === 'primary'))
    menu.push(await office.call(createMenuItem, { body: { ...item, ...everyDay } }))
  await office.call(createCycle, { body: { startDate: monday, cycleLength: 6, blockedDays: [] } })
  for (let from = 0; from < lunches; from += childrenEach) {
    const username = `family${from}`
    const client = await registerParent(url, {
      username,
      password: 'bench-parent',
      name: 'Bwalya Phiri',
      email: `${username}@example.com`,
    })
    const lines = []
    for (let child = from; child < Math.min(from + childrenEach, lunches); child += 1) {
      const { id } = await client.call(addStudent, { body: { name: `Child ${child}`, grade: '3' } })
      lines.push(lunchOf(menu[child % menu.length]!, id, child))
    }
    await client.call(placeOrders, { body: lines })
  }
}

const everyDay = { price: '0.00', weekNumbers: [1, 2, 3, 4, 5, 6], daysOfWeek: [1, 2, 3, 4, 5] }

const lunchOf = (item: MenuItem, studentId: number, child: number): CartLine => ({
  menuItemId: item.id,
  studentId,
  weekNumber: 1,
  dayOfWeek: 1,
  category: item.categories[child % item.categories.length] ?? null,
  sideDish: item.sideDishes[(child % 7) % Math.max(1, item.sideDishes.length)] ?? null,
  comments: remarks[child % remarks.length] ?? `Table ${child}`,
  originalPrice: 0,
})
