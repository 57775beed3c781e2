import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { monthJournal } from '#contracts/books'
import { kitchenToday, setOrderStatus } from '#contracts/kitchen'
import { sponsoredReport } from '#contracts/lunch-reports'
import { createDiscountCode } from '#contracts/order-reports'
import { changeOrder } from '#contracts/ordering'
import { sponsoredReportOf } from '#modules/books/sponsored/sponsored.decide'
import type { Client } from '../../src/app/demo/client'
import { settled } from '../audit/settled'
import { refused } from '../ordering/canteen'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'

let canteen: AlternativeCanteen
let bursar: Client
let head: Client
beforeAll(async () => {
  canteen = await openAlternativeCanteen({}, { sweepEveryMs: 3_600_000 })
  bursar = await canteen.administrator('bursar', 'history', 'revenue')
  head = await canteen.administrator('head', 'revenue', 'parents_students')
  await aFewDays()
})
afterAll(() => canteen.close())

const at = (day: number) => canteen.setClock(`2026-09-${day}T07:00:00+02:00`)

/** Rotary pays half of three lunches, Lions all of two of which one is cancelled; a family's own code names nobody. */
const aFewDays = async () => {
  const code = (userId: number, studentId: number | null, discountPercentage: number, sponsor?: string) =>
    canteen.superadminClient.call(createDiscountCode, {
      body: {
        code: `C-${userId}-${studentId ?? 0}`,
        userId,
        studentId,
        discountPercentage,
        isActive: true,
        ...(sponsor && { sponsor }),
      },
    })
  const banda = await canteen.family('banda', '9', '8')
  const [chipo, mary] = banda.children
  await code(banda.userId, chipo!.id, 50, 'Rotary')
  await code(banda.userId, mary!.id, 100, 'Lions')
  const zulu = await canteen.family('zulu', '9')
  await code(zulu.userId, null, 10)
  const pie = await canteen.cooked('Pie', '30.00')

  await order(banda.parent, [
    canteen.stewFor(chipo!, 2),
    canteen.stewFor(chipo!, 3),
    canteen.stewFor(mary!, 3),
  ])
  at(15)
  const { orders } = await order(banda.parent, [canteen.stewFor(mary!, 4), canteen.stewFor(chipo!, 4)])
  await order(zulu.parent, [canteen.stewFor(zulu.children[0]!, 4)])
  await banda.parent.call(changeOrder, {
    params: { id: orders[1]!.id },
    body: { menuItemId: pie, category: 'beef', discountedPrice: 15 },
  })
  at(16)
  const body = { orderIds: [orders[0]!.id], status: 'cancelled' as const }
  await canteen.superadminClient.call(setOrderStatus, { body })
  await settled(canteen)
}

const range = (from: number, to: number) => ({ from: `2026-09-${from}`, to: `2026-09-${to}` })
const report = (from: number, to: number, more = {}) =>
  bursar.call(sponsoredReport, { query: { ...range(from, to), ...more } })

test('meals by date of lunch, by sponsor and percentage, the nameless last', async () => {
  const { rows, totals } = await report(14, 18)
  expect(rows).toEqual([
    {
      sponsor: 'Lions',
      discountPercentage: 100,
      children: 1,
      meals: 1,
      days: 1,
      fullPrice: 45.5,
      sponsored: 45.5,
      paidByFamilies: 0,
    },
    {
      sponsor: 'Rotary',
      discountPercentage: 50,
      children: 1,
      meals: 3,
      days: 3,
      fullPrice: 121,
      sponsored: 60.5,
      paidByFamilies: 60.5,
    },
    {
      sponsor: null,
      discountPercentage: 10,
      children: 1,
      meals: 1,
      days: 1,
      fullPrice: 45.5,
      sponsored: 4.55,
      paidByFamilies: 40.95,
    },
  ])
  expect(totals).toEqual({
    children: 3,
    meals: 5,
    days: 3,
    fullPrice: 212,
    sponsored: 110.55,
    paidByFamilies: 101.45,
  })
  expect((await report(17, 17)).totals).toMatchObject({ meals: 2, days: 1 })
  expect((await report(18, 18)).rows).toEqual([])
})

test('by date of booking its sums are the journal’s discounts to the ngwee, day by day', async () => {
  const { days } = await bursar.call(monthJournal, { query: { month: '2026-09' } })
  const inJournal = new Map(
    days.map(({ date, entries }) => {
      const own = entries.filter(({ account }) => account === 'discounts')
      return [date, own.reduce((sum, { debit, credit }) => sum + Math.round((debit - credit) * 100), 0)]
    }),
  )
  const booked = []
  for (const day of [14, 15, 16]) {
    const { totals, rows } = await report(day, day, { by: 'booking' })
    expect(rows.reduce((sum, { sponsored }) => sum + Math.round(sponsored * 100), 0)).toBe(
      Math.round(totals.sponsored * 100),
    )
    expect(Math.round(totals.sponsored * 100)).toBe(inJournal.get(`2026-09-${day}`))
    booked.push([totals.meals, totals.sponsored, totals.paidByFamilies])
  }
  expect(booked).toEqual([
    [3, 91, 45.5],
    [3, 65.05, 55.95],
    [-1, -45.5, 0],
  ])
  const whole = await report(14, 16, { by: 'booking' })
  expect(whole.totals).toMatchObject({ meals: 5, sponsored: 110.55, paidByFamilies: 101.45 })
})

test('names children for who has the feature of parents and students alone', async () => {
  const query = { ...range(14, 18), names: 'true' as never }
  expect(await refused(bursar.call(sponsoredReport, { query }))).toMatchObject({
    status: 403,
    code: 'forbidden',
  })
  const { rows } = await head.call(sponsoredReport, { query })
  expect(rows[1]?.students).toEqual([
    { id: expect.any(Number), name: 'banda 9', grade: '9', class: null, meals: 3, sponsored: 60.5 },
  ])
})

test('is a file too', async () => {
  const file = await head.fetch('/api/reports/sponsored/csv?from=2026-09-14&to=2026-09-18&names=true')
  expect(file.headers.get('content-disposition')).toContain('tuckshop-sponsored-2026-09-14-2026-09-18.csv')
  const rows: string[][] = parse(await file.text(), { bom: true })
  expect(rows).toEqual([
    [
      'Sponsor',
      'Discount (%)',
      'Children',
      'Meals',
      'Days',
      'Full price (K)',
      'Sponsored (K)',
      'Paid by families (K)',
      'Child',
      'Class',
    ],
    ['Lions', '100', '1', '1', '1', '45.50', '45.50', '0.00', '', ''],
    ['Lions', '100', '', '1', '', '', '45.50', '', 'banda 8', '8'],
    ['Rotary', '50', '1', '3', '3', '121.00', '60.50', '60.50', '', ''],
    ['Rotary', '50', '', '3', '', '', '60.50', '', 'banda 9', '9'],
    ['', '10', '1', '1', '1', '45.50', '4.55', '40.95', '', ''],
    ['', '10', '', '1', '', '', '4.55', '', 'zulu 9', '9'],
    ['Total', '', '3', '5', '3', '212.00', '110.55', '101.45', '', ''],
  ])
})

test('is for the feature revenue, and at most 366 days', async () => {
  const cook = await canteen.administrator('cook', 'kitchen')
  expect((await refused(cook.call(sponsoredReport, { query: range(14, 18) }))).status).toBe(403)
  const tooLong = { from: '2026-01-01', to: '2027-01-02' }
  expect((await refused(bursar.call(sponsoredReport, { query: tooLong }))).status).toBe(422)
  expect((await refused(report(18, 14))).status).toBe(422)
  expect(JSON.stringify(await cook.call(kitchenToday))).not.toMatch(/sponsor|Rotary|discount/i)
})

test('whatever the meals, the rows add up to the totals, in whole ngwee', () => {
  const meal = fc.record({
    sponsor: fc.constantFrom('Rotary', 'Lions', null),
    discountPercentage: fc.constantFrom(10, 33.33, 100),
    studentId: fc.integer({ min: 1, max: 5 }),
    student: fc.constant({ name: 'Chipo', grade: '9', class: null }),
    mealDate: fc.constantFrom('2026-09-14', '2026-09-15'),
    meals: fc.constantFrom(1, 0, -1),
    fullPrice: fc.integer({ min: -9_999, max: 9_999_999 }),
    price: fc.integer({ min: -9_999, max: 9_999_999 }),
  })
  fc.assert(
    fc.property(fc.array(meal), (meals) => {
      const { rows, totals } = sponsoredReportOf(meals, true)
      for (const key of ['meals', 'fullPrice', 'sponsored', 'paidByFamilies'] as const)
        expect(rows.reduce((sum, row) => sum + Math.round(row[key] * 100), 0)).toBe(
          Math.round(totals[key] * 100),
        )
      expect(new Set(rows.map(({ sponsor, discountPercentage: off }) => `${sponsor} ${off}`)).size).toBe(
        rows.length,
      )
    }),
  )
})
