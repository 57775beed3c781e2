import { addStudent, convertToTeacher } from '#contracts/identity'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent } from './people'

let school: IdentityServer
beforeAll(async () => {
  school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  await school.identity.ensureSuperadmin()
})
afterAll(() => school.close())

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
