import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, signedIn } from './people'

let school: IdentityServer
beforeEach(async () => {
  school = await startIdentity()
})
afterEach(() => school.close())

test('without a given password superadmin gets one that is told once, also when several processes start', async () => {
  const starts = await Promise.all([1, 2, 3].map(() => school.identity.ensureSuperadmin()))
  const first = starts.filter(({ created }) => created)
  expect(first).toEqual([{ created: true, password: expect.stringMatching(/^\S{14}$/) }])
  expect(starts.filter(({ created }) => !created)).toEqual([
    { created: false, password: null },
    { created: false, password: null },
  ])
  expect(await isSignedIn(await signedIn(school, 'superadmin', first[0]!.password!))).toBe(true)
})

test('there is one superadmin, under whatever name: a start that finds the name free makes no second', async () => {
  await school.identity.ensureSuperadmin()
  await school.database
    .knex('identity.users')
    .where({ isSuperadmin: true })
    .update({ username: 'head', usernameKey: 'head' })
  expect(await school.identity.ensureSuperadmin()).toEqual({ created: false, password: null })
  expect(await school.database.knex('identity.users').where({ isSuperadmin: true })).toHaveLength(1)
})
