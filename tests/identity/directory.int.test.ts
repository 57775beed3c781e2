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
