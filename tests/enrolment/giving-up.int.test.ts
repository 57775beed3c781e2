import { createAdmin } from '#contracts/identity'
import { deleteParent } from '#contracts/accounts'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { isSignedIn, parent, refusal, signedIn } from '../identity/people'

let school: IdentityServer
let office: Client
beforeAll(async () => {
  school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  await school.identity.ensureSuperadmin()
  const superadmin = await signedIn(school, 'superadmin')
  await superadmin.call(createAdmin, {
    body: { username: 'office', password: 'office-secret', allowedFeatures: ['parents_students'] },
  })
  office = await signedIn(school, 'office')
})
afterAll(() => school.close())
afterEach(() => expect(school.faults()).toEqual([]))

test('a parent with credit or money owed is deleted only when that is given up by its name', async () => {
  const { client, id } = await parent(school, 'creditor')
  school.world.creditLeft = { creditBalance: 1250, owed: 4550 }
  const left = refusal(409, 'credit_left', { creditBalance: 12.5, owed: 45.5 })
  const remove = (giveUp?: string) =>
    office.call(deleteParent, { params: { id }, query: { force: 'true', giveUp } })
  await expect(office.call(deleteParent, { params: { id } })).rejects.toEqual(left)
  await expect(remove()).rejects.toEqual(left)
  await expect(remove('somebody')).rejects.toEqual(left)
  expect(await isSignedIn(client)).toBe(true)
  expect(school.world.creditLeft).toEqual({ creditBalance: 1250, owed: 4550 })
  await remove('creditor')
  expect(await isSignedIn(client)).toBe(false)
  expect(school.world.creditLeft).toEqual({ creditBalance: 0, owed: 0 })
})
