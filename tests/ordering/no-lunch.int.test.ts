import { updateStudent } from '#contracts/identity'
import { kitchenToday } from '#contracts/kitchen'
import { noLunchReport } from '#contracts/lunch-reports'
import { createDiscountCode, listDiscountCodes } from '#contracts/order-reports'
import { setAbsence } from '#contracts/ordering'
import { addressOf } from '#platform/http/route'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, place, refused } from './canteen'

const sponsor = 'Zebra Foundation'
const date = '2026-09-15'

let canteen: Canteen
let head: Client
let cook: Client
let other: Client
let family: Awaited<ReturnType<Canteen['family']>>
beforeAll(async () => {
  canteen = await openCanteen({ ROLE: 'web' })
  head = await canteen.administrator('head', 'parents_students')
  cook = await canteen.administrator('cook', 'kitchen', 'menu')
  other = (await canteen.family('other', '3')).parent
  family = await canteen.family('banda', '9', '3', '3', '2')
  const [big, eats, ill] = family.children
  for (const child of [eats!, ill!])
    await head.call(updateStudent, {
      params: { id: child.id },
      body: { name: child.name, grade: '3', class: '3B' },
    })
  await canteen.superadminClient.call(createDiscountCode, {
    body: {
      code: 'ZEBRA-1',
      userId: family.userId,
      studentId: big!.id,
      sponsor,
      discountPercentage: 100,
      isActive: true,
    },
  })
  const free = { discountedPrice: 0, discountPercentage: 100 }
  const [, lunch] = await place(family.parent, [
    canteen.porridgeFor(eats!, 2),
    canteen.porridgeFor(ill!, 2),
    canteen.stewFor(big!, 3, free),
  ])
  canteen.setClock(`${date}T06:00:00+02:00`)
  await family.parent.call(setAbsence, { params: { id: lunch!.id }, body: { absent: true } })
})
afterAll(() => canteen.close())

describe('no lunch ordered', () => {
  test('tells by class who has nothing ordered, with the discount of each child', async () => {
    const [big, , , small] = family.children
    const { classes, totals } = await head.call(noLunchReport, { query: { date } })
    const noOne = { ordered: 0, absent: 0, without: 1, children: 1 }
    expect(classes).toEqual([
      {
        class: 'Grade 2',
        ...noOne,
        students: [{ id: small!.id, name: 'banda 2', discountPercentage: 0 }],
      },
      { class: '3B', children: 2, ordered: 1, absent: 1, without: 0, students: [] },
      { class: 'Grade 3', ...noOne, students: [expect.objectContaining({ name: 'other 3' })] },
      {
        class: 'Grade 9',
        ...noOne,
        students: [{ id: big!.id, name: 'banda 9', discountPercentage: 100 }],
      },
    ])
    expect(totals).toEqual({ children: 5, ordered: 1, absent: 1, without: 3 })
    for (const { children, ordered, absent, without } of [...classes, totals])
      expect(ordered + absent + without).toBe(children)
  })

  test('names nobody to the kitchen', async () => {
    const { classes, totals } = await cook.call(noLunchReport, { query: { date } })
    expect(classes.map(({ students }) => students)).toEqual([null, null, null, null])
    expect(totals).toEqual({ children: 5, ordered: 1, absent: 1, without: 3 })
  })

  test('is for the kitchen and for parents and students', async () => {
    const clerk = await canteen.administrator('clerk', 'revenue', 'history')
    expect((await refused(clerk.call(noLunchReport, { query: { date } }))).status).toBe(403)
    expect((await refused(family.parent.call(noLunchReport, { query: { date } }))).status).toBe(403)
    expect((await refused(head.call(noLunchReport, { query: { date: '15/09/2026' } }))).status).toBe(422)
  })
})

/** Kitchen, hatch, labels and class lists are what `cook` reads; `other` is another family. */
describe('who is sponsored', () => {
  test('stands in no answer to the kitchen or to another family', async () => {
    const [order] = (await cook.call(kitchenToday)).data
    const query = `?date=2026-09-16&from=2026-09-14&to=2026-09-18&includeAll=true&q=banda&search=zebra`
    const paths = canteen.routes.map(addressOf).filter(({ method }) => method === 'GET')
    const read = new Map<string, string>()
    for (const { path } of paths) {
      const ids = path.replace(':week', '1').replaceAll(/:\w+/g, /orders/.test(path) ? order!.id : '1')
      for (const reader of [cook, other]) {
        const answer = await reader.fetch(`${ids}${query}`).catch(() => null)
        const text = (await answer?.text()) ?? ''
        if (answer?.ok) read.set(path, text)
        expect([ids, /zebra/i.test(text), /"sponsor/i.test(text)]).toEqual([ids, false, false])
        // A child's percentage tells as much as its sponsor's name.
        if (reader === cook && /kitchen|orders|serving|papers/.test(path))
          expect([ids, /discount/i.test(text)]).toEqual([ids, false])
      }
    }
    expect(read.size).toBeGreaterThan(20)
    for (const path of ['/api/serving', '/api/kitchen/changes', '/api/orders/week/:week'])
      expect([...read.keys()]).toContain(path)
    expect(read.get('/api/orders/class-list')).toContain('banda 9')
    const { data } = await canteen.superadminClient.call(listDiscountCodes)
    expect(JSON.stringify(data)).toContain(sponsor)
  })
})
