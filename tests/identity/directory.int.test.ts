import { addStudent, convertToTeacher, listStudents } from '#contracts/identity'
import { guardianRows } from '#modules/identity/students/guardians.rows'
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
  const student = { id: child.id, userId: id, name: 'Chipo', grade: '4', class: null, admissionNumber: null }
  expect(await school.identity.studentsOfUsers([id, 2_000_000])).toEqual(new Map([[id, [student]]]))
  expect(await school.identity.orderableStudentsOf(id)).toEqual([student])

  await client.call(convertToTeacher)
  const staffEntry = {
    ...student,
    id: expect.any(Number),
    name: 'grace Banda',
    grade: 'teacher',
  }
  expect(await school.identity.studentsOfUsers([id])).toEqual(new Map([[id, [student, staffEntry]]]))
  expect(await school.identity.orderableStudentsOf(id)).toEqual([staffEntry])
  expect(await school.identity.orderableStudentsOf(1)).toEqual([])
  expect(await school.identity.orderableStudentsOf(2_000_000)).toEqual([])
})

test('a second guardian orders for the child and sees it; nobody orders for who left or was merged', async () => {
  const first = await parent(school, 'mutale')
  const second = await parent(school, 'natasha')
  const child = await first.client.call(addStudent, { body: { name: 'Mapalo', grade: '2' } })
  const twin = await first.client.call(addStudent, { body: { name: 'Mapalo M', grade: '2' } })
  const { knex } = school.database
  await guardianRows(knex).add({ studentId: child.id, userId: second.id, since: new Date(0) })
  await knex('identity.students').where({ id: twin.id }).update({ mergedInto: child.id })

  const { childrenOf, isGuardianOf, orderableStudentsOf } = school.identity
  for (const { client, id } of [first, second]) {
    expect(await childrenOf(id)).toEqual([child.id, twin.id])
    expect(await Promise.all([child, twin].map((one) => isGuardianOf(id, one.id)))).toEqual([true, true])
    expect(await orderableStudentsOf(id)).toEqual([expect.objectContaining({ id: child.id })])
    expect(await client.call(listStudents)).toEqual([child])
  }
  const stranger = await parent(school, 'stranger')
  expect(await childrenOf(stranger.id)).toEqual([])
  expect(await isGuardianOf(stranger.id, child.id)).toBe(false)

  await knex('identity.students')
    .where({ id: child.id })
    .update({ leftAt: new Date(0) })
  expect(await orderableStudentsOf(first.id)).toEqual([])
  expect(await second.client.call(listStudents)).toEqual([])
  expect(await childrenOf(second.id)).toEqual([child.id, twin.id])
})
