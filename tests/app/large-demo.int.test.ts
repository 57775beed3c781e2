import { listStudents } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { listStatements, pendingPayments } from '#contracts/transfers'
import type { Client } from '../../src/app/demo/client'
import { demoSignIns, fillDemoSchool } from '../../src/app/demo/demo-school'
import { demoFamilies, personOf } from '../../src/app/demo/sample-data'
import { startSchool, type School } from '../support/school'

const opening = '2026-09-16T10:00:00+02:00'

let school: School
let office: Client
beforeAll(async () => {
  const { superadmin } = demoSignIns
  school = await startSchool({ at: opening, variables: { SUPERADMIN_PASSWORD: superadmin.password } })
  const progress: [number, number][] = []
  await fillDemoSchool({
    baseUrl: school.url,
    zone: 'Africa/Lusaka',
    size: 'large',
    houses: 2,
    opening: new Date(opening),
    setClock: school.setClock,
    mails: null,
    onProgress: (done, total) => progress.push([done, total]),
  })
  expect(progress.map(([done]) => done)).toEqual(progress.map((_, index) => index + 1))
  expect(progress.at(-1)).toEqual([progress.length, progress.length])
  office = await school.signIn(superadmin.username, superadmin.password)
}, 300_000)
afterAll(() => school?.close())

test('sixty families have not paid their second week', async () => {
  const unpaid: string[] = []
  for (const page of [1, 2]) {
    const { data } = await office.call(pendingPayments, { query: { page } })
    for (const { parentUsername, orders } of data)
      if (orders.every(({ weekNumber }) => weekNumber === 2)) unpaid.push(parentUsername)
  }
  expect(unpaid.toSorted()).toEqual(
    Array.from({ length: 60 }, (_, index) => personOf(index).username).toSorted(),
  )
})

test('their first week was paid by card, by phone and at the bank', async () => {
  const ways = []
  for (const index of [0, 1, 2]) {
    const family = await school.signIn(personOf(index).username, demoSignIns.parent.password)
    expect(await family.call(listStudents)).toHaveLength(index + 1)
    const orders = (await family.call(listOrders, { query: { includeAll: 'true' } })) as Order[]
    const paid = orders.filter(({ weekNumber, payBy }) => weekNumber === 1 && payBy !== null)
    expect(paid.every(({ paymentStatus }) => paymentStatus === 'confirmed')).toBe(true)
    ways.push([...new Set(paid.map(({ payBy }) => payBy))])
  }
  expect(ways).toEqual([['card'], ['airtel'], ['bank']])
})

test('two statements wait, with exact and likely matches, and a third was confirmed', async () => {
  const { data } = await office.call(listStatements)
  expect(data.map(({ source, counts }) => ({ source, ...counts }))).toMatchObject([
    { source: 'airtel', confirmed: 0, exact: 20, likely: 6, open: 5 },
    { source: 'bank', confirmed: 0, exact: 10, likely: 3, open: 2 },
    { source: 'bank', confirmed: 20, suggested: 0, open: 0 },
  ])
})

test('everybody has a name of their own', () => {
  const named = Array.from({ length: 600 }, (_, index) => personOf(index).username)
  const all = [...named, ...demoFamilies.map(({ username }) => username)]
  expect(new Set(all).size).toBe(all.length)
})
