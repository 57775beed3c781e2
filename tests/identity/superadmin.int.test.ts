import { currentUser } from '#contracts/identity'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, refusal, signedIn } from './people'

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
  const client = await signedIn(school, 'superadmin', first[0]!.password!)
  expect(await client.call(currentUser)).toMatchObject({ mustChangePassword: true })
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

test('a reset gives superadmin another password, to be changed at once, and ends every session', async () => {
  await expect(school.identity.resetSuperadmin()).rejects.toMatchObject({ code: 'user_not_found' })
  const { password } = await school.identity.ensureSuperadmin()
  const before = await signedIn(school, 'superadmin', password!)
  const reset = await school.identity.resetSuperadmin()
  expect(await isSignedIn(before)).toBe(false)
  await expect(signedIn(school, 'superadmin', password!)).rejects.toEqual(refusal(401, 'wrong_credentials'))
  const written = await school.database.knex('platform.changes').orderBy('seq', 'desc').first()
  expect(written).toMatchObject({
    actor: 'command:superadmin-reset',
    change: {
      kind: 'accounts',
      what: 'Password of {user:1} set on the machine, second factor off',
      old: null,
      new: null,
    },
  })
  const client = await signedIn(school, 'superadmin', reset)
  expect(await client.call(currentUser)).toMatchObject({ mustChangePassword: true })
})
