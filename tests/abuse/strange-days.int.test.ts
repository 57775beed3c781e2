import { auditEntries, auditExport } from '#contracts/audit'
import { classList } from '#contracts/kitchen'
import { createCycle } from '#contracts/cycles'
import { liveOrders } from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { type School, startSchool } from '../support/school'

let school: School
let office: Client
beforeAll(async () => {
  school = await startSchool()
  office = await school.superadmin()
})
afterAll(() => school.close())

const asking = {
  [`${auditEntries.path}?from=`]: 'GET',
  [`${auditEntries.path}?to=`]: 'GET',
  [`${auditExport.path}?from=`]: 'GET',
  [`${classList.path}?date=`]: 'GET',
  [`${liveOrders.path}?time=`]: 'GET',
}

// The first and the last years that four digits can write, where calendars and time zones are at their wits' end.
test.each([
  '0000-01-01',
  '0000-01-03',
  '0041-08-15',
  '0099-12-31',
  '9999-12-27',
  '9999-12-31',
  '+275760-09-13',
])('the day %s is asked for and planned for without a fault', async (day) => {
  const statuses: [string, number][] = []
  for (const path of Object.keys(asking))
    statuses.push([path, (await office.fetch(`${path}${encodeURIComponent(day)}`)).status])
  const body = JSON.stringify({ startDate: day, cycleLength: 6, blockedDays: [] })
  const headers = { 'content-type': 'application/json' }
  statuses.push([
    createCycle.path,
    (await office.fetch(createCycle.path, { method: 'POST', body, headers })).status,
  ])
  expect(statuses.filter(([, status]) => status >= 500)).toEqual([])
})
