import { listAdmins, listParents } from '#contracts/accounts'
import { listMenu } from '#contracts/catalogue'
import { listCycles, cycleHistory } from '#contracts/cycles'
import { classList, kitchenToday, kitchenWeek } from '#contracts/kitchen'
import { cycleOrders, listDiscountCodes, revenueStats } from '#contracts/order-reports'
import { listOrders } from '#contracts/ordering'
import { failedOrders, liveOrders } from '#contracts/payments-console'
import { listRefunds } from '#contracts/refunds'
import { pendingPayments } from '#contracts/transfers'
import { lineTo, measure, repeated, type Measured } from './load'
import type { Program } from './program'
import type { Line, Target } from './report'
import { monday, read, type Family, type Office } from './school'

type Needs = {
  program: Program
  empty: { url: string; pid: number }
  office: Office
  families: { free: Family[]; regular: Family }
  times: (count: number) => number
  label: string
}

type Read = { what: string; path: string; limits: (measured: Measured) => Target[] }

const list = ({ serverCpu }: Measured) => [{ name: 'server ms', value: serverCpu, atMost: 5 }]
const kitchen = ({ p50 }: Measured) => [{ name: 'p50 ms', value: p50, atMost: 30 }]
const screen = ({ p50 }: Measured) => [{ name: 'p50 ms', value: p50, atMost: 100 }]
const everybodys = ({ perSecond }: Measured) => [{ name: 'a second', value: perSecond, atLeast: 3_000 }]

const ofTheDay: Read[] = [
  { what: 'kitchen, today', path: kitchenToday.path, limits: kitchen },
  { what: 'kitchen, week 1', path: kitchenWeek.path.replace(':week', '1'), limits: screen },
  { what: 'class list', path: `${classList.path}?date=${monday}`, limits: screen },
]

const ofOffice = (cycleId: number): Read[] => [
  ...ofTheDay,
  { what: 'live orders, first page', path: liveOrders.path, limits: list },
  { what: 'live orders, page 100', path: `${liveOrders.path}?page=100`, limits: screen },
  { what: 'order recovery', path: failedOrders.path, limits: list },
  { what: 'pending payments', path: pendingPayments.path, limits: list },
  { what: 'refunds', path: listRefunds.path, limits: list },
  { what: 'cycle history', path: cycleHistory.path, limits: screen },
  { what: 'orders of a cycle', path: `${cycleOrders.path}?cycleId=${cycleId}`, limits: list },
  { what: 'revenue', path: revenueStats.path, limits: screen },
  { what: 'parents', path: listParents.path, limits: list },
  { what: 'administrators', path: listAdmins.path, limits: list },
  { what: 'discount codes', path: listDiscountCodes.path, limits: list },
]

/** The common reads and every console list, by one caller or sixteen at once. */
export const readLines = async ({
  program,
  empty,
  office,
  families,
  times,
  label,
}: Needs): Promise<Line[]> => {
  process.stderr.write(`Reads, ${label}\n`)
  const crowd = (path: string) =>
    readTogether(families.free.slice(0, 16), times, program, (parent) => read(parent, path))
  const alone = readAlone(program, times)
  const menu = await crowd(listMenu.path)
  const calendar = await crowd(listCycles.path)
  const own = await alone(families.regular, `${listOrders.path}?includeAll=true`)
  const lines: Line[] = [
    { what: 'an empty Koa, for comparison', measured: await emptyKoa(empty, times) },
    { what: 'menu', measured: menu, targets: everybodys(menu) },
    { what: 'calendar', measured: calendar, targets: everybodys(calendar) },
    { what: 'order history, 200 orders', measured: own, targets: list(own) },
  ]
  for (const { what, path, limits } of ofOffice(families.regular.cycleId)) {
    const measured = await alone(office, path)
    lines.push({ what, measured, targets: limits(measured) })
  }
  return lines.map((line) => ({ ...line, what: `${line.what} · ${label}` }))
}

export const dayLines = async ({
  program,
  office,
  times,
  label,
}: Pick<Needs, 'program' | 'office' | 'times' | 'label'>): Promise<Line[]> => {
  process.stderr.write(`Reads, ${label}\n`)
  const lines: Line[] = []
  for (const { what, path, limits } of ofTheDay) {
    const measured = await readAlone(program, times)(office, path)
    lines.push({ what: `${what} · ${label}`, measured, targets: limits(measured) })
  }
  return lines
}

const readAlone =
  (program: Program, times: Needs['times']) =>
  async (who: Pick<Family, 'line' | 'cookie'>, path: string): Promise<Measured> => {
    const acts = (count: number) => repeated(1, times(count), () => async () => void (await read(who, path)))
    const { p50 } = await measure(acts(300), program)
    if (p50 >= 5) return measure(acts(200), program)
    // Linux counts CPU in steps of 10 ms and neighbours disturb: quick reads are measured three times.
    const rounds = [
      await measure(acts(400), program),
      await measure(acts(400), program),
      await measure(acts(400), program),
    ]
    return rounds.toSorted((one, other) => one.serverCpu - other.serverCpu)[0]!
  }

/** Sixteen callers at once, warmed up first. */
const readTogether = async <Caller>(
  callers: readonly Caller[],
  times: Needs['times'],
  measured: Parameters<typeof measure>[1],
  ask: (caller: Caller) => Promise<unknown>,
): Promise<Measured> => {
  const acts = (count: number) =>
    repeated(callers.length, times(count), (actor) => async () => void (await ask(callers[actor]!)))
  await measure(acts(400), measured)
  return measure(acts(600), measured)
}

const emptyKoa = async (empty: Needs['empty'], times: Needs['times']): Promise<Measured> => {
  const lines = Array.from({ length: 16 }, () => lineTo(empty.url))
  const measured = await readTogether(lines, times, empty, (line) => line.send('GET', '/'))
  for (const line of lines) line.close()
  return measured
}
