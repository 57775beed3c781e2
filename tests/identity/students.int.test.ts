import {
  addStudent,
  convertToTeacher,
  createAdmin,
  deleteStudent,
  listStudents,
  updateStudent,
} from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal, signedIn } from './people'

let school: IdentityServer
let superadmin: Client
beforeAll(async () => {
  school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  await school.identity.ensureSuperadmin()
  superadmin = await signedIn(school, 'superadmin')
})
afterAll(() => school.close())
afterEach(() => expect(school.faults()).toEqual([]))

const chipo = { name: 'Chipo Banda', grade: '4' } as const
const notFound = refusal(404, 'student_not_found', { message: 'Student not found' })

const family = async (username: string) => {
  const { client, id } = await parent(school, username)
  const child = await client.call(addStudent, { body: chipo })
  return { client, id, child }
}

describe('a parent', () => {
  test('may give a child a name of one letter, which an administrator may not', async () => {
    const { client, id } = await parent(school, 'lina')
    expect(await client.call(addStudent, { body: { ...chipo, name: 'K' } })).toMatchObject({ name: 'K' })
    await expect(
      superadmin.call(addStudent, { body: { ...chipo, name: ' K ', parentId: id } }),
    ).rejects.toEqual(
      refusal(422, 'name_too_short', {
        message: 'Name must be at least 2 characters',
        fields: { name: 'Name must be at least 2 characters' },
      }),
    )
    const two = await superadmin.call(addStudent, { body: { ...chipo, name: 'Ky', parentId: id } })
    expect(two).toMatchObject({ name: 'Ky', parentId: id })
  })

  test('adds children and sees their own, oldest entry first', async () => {
    const { client, id, child } = await family('mwila')
    await family('stranger')
    const onRoll = { class: null, admissionNumber: null }
    expect(child).toEqual({ id: expect.any(Number), ...chipo, ...onRoll, parent_id: id, parentId: id })
    const second = await client.call(addStudent, { body: { name: ' Taonga ', grade: 'ELC' } })
    expect(await client.call(listStudents)).toEqual([child, { ...second, name: 'Taonga' }])
  })

  test('adds to their own account whatever id is sent', async () => {
    const { id: other } = await parent(school, 'other')
    const { client, id } = await parent(school, 'bupe')
    const body = { ...chipo, parent_id: other, parentId: other }
    expect(await client.call(addStudent, { body })).toMatchObject({ parentId: id })
  })

  test('edits and deletes a child', async () => {
    const { client, child } = await family('chola')
    const at = { params: { id: child.id } }
    const body = { name: 'Chipo B.', grade: '5' as const }
    const { affectedOrders, ...changed } = await client.call(updateStudent, { ...at, body })
    expect(affectedOrders).toEqual([])
    expect(changed).toEqual({ ...child, name: 'Chipo B.', grade: '5' })
    expect(await client.call(listStudents)).toEqual([changed])
    expect(await client.call(deleteStudent, at)).toEqual({ message: 'Student deleted successfully' })
    expect(await client.call(listStudents)).toEqual([])
    await expect(client.call(deleteStudent, at)).rejects.toEqual(notFound)
    await expect(client.call(updateStudent, { ...at, body: chipo })).rejects.toEqual(notFound)
  })

  test("does not find somebody else's child", async () => {
    const { client: owner, child } = await family('grace')
    const { client } = await parent(school, 'kelvin')
    const at = { params: { id: child.id } }
    await expect(client.call(updateStudent, { ...at, body: chipo })).rejects.toEqual(notFound)
    await expect(client.call(deleteStudent, at)).rejects.toEqual(notFound)
    expect(await owner.call(listStudents)).toEqual([child])
  })

  test('cannot delete a child with orders, nor force it', async () => {
    const { client, child } = await family('joseph')
    school.world.ordersOf.set(child.id, 3)
    await expect(client.call(deleteStudent, { params: { id: child.id } })).rejects.toEqual(
      refusal(409, 'student_has_orders', {
        message: 'Chipo Banda has 3 orders and cannot be deleted',
        canForce: false,
        orderCount: 3,
        mealsInPayment: 0,
      }),
    )
    const forced = await client.fetch(`/api/students/${child.id}?force=true`, { method: 'DELETE' })
    expect(forced.status).toBe(409)
    expect(await client.call(listStudents)).toEqual([child])
  })

  test('names the child and one of the grades of the school', async () => {
    const { client, child } = await family('luyando')
    const wrongForms = [
      [
        { name: ' ', grade: '13' },
        { name: 'Name is required', grade: 'Please select a grade' },
      ],
      [{ name: 'Chipo', grade: 'teacher' }, { grade: 'Please select a grade' }],
    ]
    for (const [body, fields] of wrongForms) {
      const refused = refusal(422, 'validation_failed', { fields })
      await expect(client.call(addStudent, { body: body as never })).rejects.toEqual(refused)
      await expect(
        client.call(updateStudent, { params: { id: child.id }, body: body as never }),
      ).rejects.toEqual(refused)
    }
  })
})

describe('a teacher', () => {
  test('keeps the staff account as it is and adds no children', async () => {
    const { client: before } = await parent(school, 'teacher')
    await before.call(convertToTeacher)
    const client = await signedIn(school, 'teacher')
    const [staffEntry] = await client.call(listStudents)
    const at = { params: { id: staffEntry!.id } }
    const stays = refusal(409, 'staff_account')
    await expect(client.call(updateStudent, { ...at, body: chipo })).rejects.toEqual(stays)
    await expect(client.call(deleteStudent, at)).rejects.toEqual(stays)
    await expect(client.call(addStudent, { body: chipo })).rejects.toEqual(refusal(403, 'feature_required'))
    expect(await client.call(listStudents)).toEqual([staffEntry])
  })
})

describe('an administrator', () => {
  test('with the feature adds a child to the parent they name', async () => {
    const { client, id } = await parent(school, 'natasha')
    const body = {
      username: 'office',
      password: 'office-secret',
      allowedFeatures: ['parents_students'],
    } as const
    await superadmin.call(createAdmin, { body: { ...body, allowedFeatures: [...body.allowedFeatures] } })
    const office = await signedIn(school, 'office')
    const child = await office.call(addStudent, { body: { ...chipo, parentId: id } })
    expect(await client.call(listStudents)).toEqual([child])
  })

  test('must name a parent', async () => {
    await expect(superadmin.call(addStudent, { body: chipo })).rejects.toEqual(
      refusal(422, 'parent_required'),
    )
    for (const parentId of [2_000_000_000, 1]) {
      const added = superadmin.call(addStudent, { body: { ...chipo, parentId } })
      await expect(added).rejects.toEqual(refusal(404, 'parent_not_found'))
    }
    await expect(superadmin.call(addStudent, { body: { ...chipo, parentId: 2 ** 40 } })).rejects.toEqual(
      refusal(422, 'validation_failed'),
    )
  })

  test('without the feature adds none, and has no students of their own', async () => {
    await superadmin.call(createAdmin, {
      body: { username: 'kitchen', password: 'kitchen-secret', allowedFeatures: ['kitchen'] },
    })
    const kitchen = await signedIn(school, 'kitchen')
    const { id } = await parent(school, 'mutinta')
    await expect(kitchen.call(addStudent, { body: { ...chipo, parentId: id } })).rejects.toEqual(
      refusal(403, 'feature_required'),
    )
    await expect(kitchen.call(listStudents)).rejects.toEqual(refusal(403, 'forbidden'))
  })
})

test('nobody does any of it without signing in', async () => {
  const visitor = school.visitor()
  const at = { params: { id: 1 } }
  const refused = refusal(401, 'not_signed_in')
  await expect(visitor.call(listStudents)).rejects.toEqual(refused)
  await expect(visitor.call(addStudent, { body: chipo })).rejects.toEqual(refused)
  await expect(visitor.call(updateStudent, { ...at, body: chipo })).rejects.toEqual(refused)
  await expect(visitor.call(deleteStudent, at)).rejects.toEqual(refused)
})
