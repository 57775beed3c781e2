import { addStudent, convertToTeacher, createAdmin, featureNames } from '#contracts/identity'
import type { IdentityServer } from './identity-server'
import { startIdentity } from './identity-server'
import { parent, signedIn } from './people'

let school: IdentityServer
beforeAll(async () => {
  school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  await school.identity.ensureSuperadmin()
})
afterAll(() => school.close())

test('the principal of a parent, of an administrator, of superadmin and of nobody', async () => {
  const { id } = await parent(school, 'mwila', { email: 'mwila@example.com' })
  expect(await school.identity.principalOf(id)).toEqual({
    userId: id,
    username: 'mwila',
    name: 'mwila Banda',
    email: 'mwila@example.com',
    role: 'parent',
    features: [],
    isSuperadmin: false,
    mustChangePassword: false,
  })
  const superadmin = await signedIn(school, 'superadmin')
  const made = await superadmin.call(createAdmin, {
    body: { username: 'cook', password: 'cook-secret', allowedFeatures: ['menu', 'kitchen'] },
  })
  expect(await school.identity.principalOf(made.id)).toMatchObject({
    role: 'admin',
    features: ['menu', 'kitchen'],
  })
  expect(await school.identity.principalOf(1)).toMatchObject({ isSuperadmin: true, features: featureNames })
  expect(await school.identity.principalOf(2_000_000)).toBeNull()
})

test('a session tells whose it is, until it has expired and while the account is there', async () => {
  const { id } = await parent(school, 'thandiwe')
  const { pool } = school.database
  const session = async (name: string, userId: number) =>
    pool.query('insert into platform.sessions (id, user_id, expires_at) values ($1, $2, $3)', [
      name,
      userId,
      new Date('2026-09-30T05:00:00Z'),
    ])
  await session('of thandiwe', id)
  await session('of nobody', 2_000_000)
  const at = new Date('2026-09-16T05:00:00Z')
  const principal = await school.identity.principalOf(id)
  expect(await school.identity.sessionOf('of thandiwe', at)).toEqual({ userId: id, due: false, principal })
  const later = new Date('2026-09-29T05:00:00Z')
  expect(await school.identity.sessionOf('of thandiwe', later)).toMatchObject({ due: true, principal })
  expect(await school.identity.sessionOf('of thandiwe', new Date('2026-09-30T05:00:00Z'))).toBeNull()
  expect(await school.identity.sessionOf('no such', at)).toBeNull()
  expect(await school.identity.sessionOf('of nobody', at)).toEqual({
    userId: 2_000_000,
    due: false,
    principal: null,
  })
  await pool.query('update identity.users set "deletedAt" = now() where id = $1', [id])
  expect(await school.identity.sessionOf('of thandiwe', at)).toMatchObject({ principal: null })
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
  expect(await school.identity.studentOf(child.id)).toEqual(student)
  expect(await school.identity.studentOf(2_000_000)).toBeNull()
  expect(await school.identity.studentsOf(id)).toEqual([student])
  expect(await school.identity.orderableStudentsOf(id)).toEqual([student])

  await client.call(convertToTeacher)
  const staffEntry = { id: expect.any(Number), userId: id, name: 'grace Banda', grade: 'teacher' }
  expect(await school.identity.studentsOf(id)).toEqual([student, staffEntry])
  expect(await school.identity.orderableStudentsOf(id)).toEqual([staffEntry])
  expect(await school.identity.orderableStudentsOf(1)).toEqual([])
  expect(await school.identity.orderableStudentsOf(2_000_000)).toEqual([])
})
