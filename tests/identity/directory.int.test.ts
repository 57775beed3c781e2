import { addStudent, convertToTeacher, createAdmin, featureNames } from '#contracts/identity'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, signedIn } from './people'

let school: IdentityServer
beforeAll(async () => {
  school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  await school.identity.ensureSuperadmin()
})
afterAll(() => school.close())

const dayMs = 86_400_000
/** Whose session it is, of one that lasts so long from now. */
const sessionFor = async (userId: number, lastsMs = dayMs) => {
  const name = `of ${userId} for ${lastsMs} ms`
  await school.database.pool.query(
    'insert into platform.sessions (id, user_id, expires_at) values ($1, $2, $3) on conflict do nothing',
    [name, userId, new Date(Date.now() + lastsMs)],
  )
  return school.identity.sessionOf(name)
}

test('a session tells whose it is: a parent, an administrator, superadmin, nobody', async () => {
  const { id } = await parent(school, 'mwila', { email: 'mwila@example.com' })
  expect(await sessionFor(id)).toEqual({
    userId: id,
    expiresAt: expect.any(Date),
    principal: {
      userId: id,
      username: 'mwila',
      name: 'mwila Banda',
      email: 'mwila@example.com',
      role: 'parent',
      features: [],
      isSuperadmin: false,
      mustChangePassword: false,
    },
  })
  const superadmin = await signedIn(school, 'superadmin')
  const made = await superadmin.call(createAdmin, {
    body: { username: 'cook', password: 'cook-secret', allowedFeatures: ['menu', 'kitchen'] },
  })
  expect(await sessionFor(made.id)).toMatchObject({
    principal: { role: 'admin', features: ['menu', 'kitchen'] },
  })
  expect(await sessionFor(1)).toMatchObject({ principal: { isSuperadmin: true, features: featureNames } })
  expect(await sessionFor(2_000_000)).toEqual({
    userId: 2_000_000,
    expiresAt: expect.any(Date),
    principal: null,
  })
})

test('a session lasts until it has expired, and opens nothing once the account is gone', async () => {
  const { id } = await parent(school, 'thandiwe')
  const principal = expect.objectContaining({ userId: id })
  expect(await sessionFor(id)).toEqual({ userId: id, expiresAt: expect.any(Date), principal })
  expect(await sessionFor(id, -1)).toBeNull()
  expect(await school.identity.sessionOf('no such')).toBeNull()
  await school.database.pool.query('update identity.users set "deletedAt" = now() where id = $1', [id])
  expect(await sessionFor(id)).toMatchObject({ principal: null })
})

test('persons and usernames by id', async () => {
  const { id: bupe } = await parent(school, 'bupe', { email: 'bupe@example.com', phone: '0971' })
  const { id: chola } = await parent(school, 'Chola')
  expect(await school.identity.personOf(bupe)).toEqual({
    id: bupe,
    username: 'bupe',
    name: 'bupe Banda',
    email: 'bupe@example.com',
    phone: '0971',
    role: 'parent',
  })
  expect(await school.identity.personOf(2_000_000)).toBeNull()
  expect(await school.identity.usernamesOf([chola, bupe, 2_000_000])).toEqual(
    new Map([
      [bupe, 'bupe'],
      [chola, 'Chola'],
    ]),
  )
  expect(await school.identity.usernamesOf([])).toEqual(new Map())
})

test('students, and for whom a parent, a teacher and an administrator order', async () => {
  const { client, id } = await parent(school, 'grace')
  const child = await client.call(addStudent, { body: { name: 'Chipo', grade: '4' } })
  const student = { id: child.id, userId: id, name: 'Chipo', grade: '4' }
  expect(await school.identity.studentsOfUsers([id, 2_000_000])).toEqual(new Map([[id, [student]]]))
  expect(await school.identity.orderableStudentsOf(id)).toEqual([student])

  await client.call(convertToTeacher)
  const staffEntry = { id: expect.any(Number), userId: id, name: 'grace Banda', grade: 'teacher' }
  expect(await school.identity.studentsOfUsers([id])).toEqual(new Map([[id, [student, staffEntry]]]))
  expect(await school.identity.orderableStudentsOf(id)).toEqual([staffEntry])
  expect(await school.identity.orderableStudentsOf(1)).toEqual([])
  expect(await school.identity.orderableStudentsOf(2_000_000)).toEqual([])
})
