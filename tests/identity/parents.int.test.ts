import {
  type ParentSort,
  createParent,
  deleteAnyStudent,
  deleteParent,
  listParents,
  searchUsers,
  updateParent,
} from '#contracts/accounts'
import type { QueryOf } from '#contracts/endpoint'
import {
  addStudent,
  createAdmin,
  listStudents,
  convertToTeacher,
  deleteStudent,
  updateStudent,
} from '#contracts/identity'
import { guardianRows } from '#modules/identity/students/guardians.rows'
import type { Client } from '../../src/app/demo/client'
import { eventually } from '../support/eventually'
import { tableContents } from '../support/school-contents'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn } from './people'

describe('parents', () => {
  let school: IdentityServer
  beforeAll(async () => {
    school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  })
  afterAll(() => school.close())

  describe('parents', () => {
    let office: Client
    beforeAll(async () => {
      await school.identity.ensureSuperadmin()
      const superadmin = await signedIn(school, 'superadmin')
      await superadmin.call(createAdmin, {
        body: {
          username: 'office',
          password: 'office-secret',
          allowedFeatures: ['parents_students', 'settings'],
        },
      })
      office = await signedIn(school, 'office')
    })
    afterEach(() => expect(school.faults()).toEqual([]))

    const usernames = async (query: QueryOf<typeof listParents>) =>
      (await office.call(listParents, { query })).data.map(({ username }) => username)

    const fields = (name: string, message: string) =>
      refusal(422, 'validation_failed', { fields: { [name]: message } })

    describe('the list', () => {
      test('finds by username, name, mail, phone and child, sorted as asked; administrators are not in it', async () => {
        const { client } = await parent(school, 'zita', { name: 'Ann Zulu', email: 'ann@example.com' })
        await client.call(addStudent, { body: { name: 'Kunda Zulu', grade: '3' } })
        await parent(school, 'abel', { name: 'Zacharias Abel', phone: '+260977123456' })
        expect(await usernames({})).toEqual(['zita', 'abel'])
        expect(await usernames({ sort: 'username' })).toEqual(['abel', 'zita'])
        expect(await usernames({ sort: 'newest' })).toEqual(['abel', 'zita'])
        for (const search of ['ZIT', 'ann z', 'ann@EX', 'kunda'])
          expect(await usernames({ search })).toEqual(['zita'])
        for (const search of [
          '977123',
          '0977 123 456',
          '+260 (0)977-123',
          '00260977123456',
          '\u202a0977123456',
        ])
          expect(await usernames({ search })).toEqual(['abel'])
        await parent(school, 'zelda', { name: 'Zoë Ng’andu-Phiri' })
        for (const search of ["Ng'andu", 'NGANDU', 'zoe ngʼandu', 'ngandu phiri', 'Ngandu‑Phiri'])
          expect(await usernames({ search })).toEqual(['zelda'])
        expect(await usernames({ search: '’ ’' })).toEqual([])
        expect(await usernames({ search: 'office' })).toEqual([])
        expect((await office.call(listParents, { query: { search: 'zita' } })).data[0]).toMatchObject({
          name: 'Ann Zulu',
          email: 'ann@example.com',
          phone: null,
          role: 'parent',
          students: [{ name: 'Kunda Zulu', grade: '3' }],
        })
      })

      test('is asked with at least 3 characters, and holds 50 a page', async () => {
        await expect(office.call(listParents, { query: { search: 'zi' } })).rejects.toEqual(
          refusal(422, 'validation_failed', { message: 'Please enter at least 3 characters to search' }),
        )
        const { metadata } = await office.call(listParents, { query: { page: 2 } })
        expect(metadata).toMatchObject({ page: 2, pageSize: 50, totalPages: 1, hasPreviousPage: true })
      })

      test('is sorted both ways, those of one name as they came; the page is as long as asked', async () => {
        const names = { tie1: 'Tie Kunda', tie2: 'tie kunda', tie0: 'Tie Banda' }
        for (const [username, name] of Object.entries(names)) await parent(school, username, { name })
        const search = 'tie'
        const both = async (sort: ParentSort) => [
          await usernames({ search, sort }),
          await usernames({ search, sort, direction: 'desc' }),
        ]
        expect(await both('name')).toEqual([
          ['tie0', 'tie1', 'tie2'],
          ['tie2', 'tie1', 'tie0'],
        ])
        expect(await both('username')).toEqual([
          ['tie0', 'tie1', 'tie2'],
          ['tie2', 'tie1', 'tie0'],
        ])
        expect(await both('newest')).toEqual([
          ['tie0', 'tie2', 'tie1'],
          ['tie1', 'tie2', 'tie0'],
        ])
        expect(await usernames({ search, limit: 2, page: 2 })).toEqual(['tie2'])
      })

      test.each([{ sort: 'colour' }, { direction: 'up' }, { limit: 0 }, { limit: 101 }])(
        'asked for %j is refused',
        async (query) => {
          await expect(usernames(query as never)).rejects.toEqual(refusal(422, 'validation_failed'))
        },
      )
    })

    describe('a parent', () => {
      test('is made with a password, signs in with it, and is changed; a new password signs them out', async () => {
        const made = await office.call(createParent, {
          body: { username: 'made.here', password: 'made.here-secret', name: '', email: '', phone: '0977' },
        })
        expect(made).toMatchObject({ name: 'made.here', email: null, phone: '0977', students: [] })
        const client = await signedIn(school, 'made.here')
        const change = (body: object) =>
          office.call(updateParent, { params: { id: made.id }, body: { username: 'made.here', ...body } })
        expect(await change({ username: 'Made.There', name: 'Made There', password: '' })).toMatchObject({
          username: 'Made.There',
          name: 'Made There',
          phone: '0977',
        })
        expect(await isSignedIn(client)).toBe(true)
        await change({ username: 'made.there', password: 'another-secret' })
        expect(await isSignedIn(client)).toBe(false)
        await signedIn(school, 'made.there', 'another-secret')
      })

      test('needs a username of 3, a password, and one that nobody has', async () => {
        const body = { username: 'somebody', password: 'some-secret' }
        const make = (more: object) => office.call(createParent, { body: { ...body, ...more } })
        await expect(make({ username: 'so' })).rejects.toEqual(
          fields('username', 'Username must be at least 3 characters'),
        )
        await expect(make({ password: '' })).rejects.toEqual(
          fields('password', 'Password is required when creating a new parent'),
        )
        await expect(make({ email: 'no mail' })).rejects.toEqual(fields('email', 'Invalid email address'))
        await expect(make({ username: 'OFFICE' })).rejects.toEqual(refusal(409, 'username_taken'))
        const { id } = await make({})
        const change = (more: object) =>
          office.call(updateParent, { params: { id }, body: { username: 'somebody', ...more } })
        await expect(change({ password: '12345' })).rejects.toEqual(
          fields('password', 'Password must be at least 6 characters when provided'),
        )
        await expect(change({ username: 'office' })).rejects.toEqual(refusal(409, 'username_taken'))
      })

      test('who is an administrator, or nobody, is not found', async () => {
        const notFound = refusal(404, 'parent_not_found', { message: 'Parent not found' })
        for (const id of [1, 999_999]) {
          await expect(
            office.call(updateParent, { params: { id }, body: { username: 'whoever' } }),
          ).rejects.toEqual(notFound)
          await expect(office.call(deleteParent, { params: { id } })).rejects.toEqual(notFound)
        }
      })

      test('is deleted with the students; signed out at once, and the username is free again', async () => {
        const { client, id } = await parent(school, 'leaving', { email: 'leaving@example.com' })
        await client.call(addStudent, { body: { name: 'Leaving Child', grade: '3' } })
        expect(await office.call(deleteParent, { params: { id } })).toEqual({
          message: 'Parent deleted successfully',
        })
        expect(await isSignedIn(client)).toBe(false)
        await expect(signedIn(school, 'leaving')).rejects.toEqual(refusal(401, 'wrong_credentials'))
        expect(await usernames({ search: 'leaving' })).toEqual([])
        expect(await school.identity.usernamesOf([id])).toEqual(new Map([[id, `deleted ${id}`]]))
        await parent(school, 'leaving')
        await expect(office.call(deleteParent, { params: { id } })).rejects.toEqual(
          refusal(404, 'parent_not_found'),
        )
      })

      test('is deleted while somebody is changing it and its students: one waits for the other, and both are done', async () => {
        const { client, id } = await parent(school, 'contested')
        const { id: child } = await client.call(addStudent, { body: { name: 'Contested Child', grade: '3' } })
        const { pool } = school.database
        const change = await pool.connect()
        await change.query('begin')
        await change.query('select id from identity.users where id = $1 for update', [id])
        const deleted = office.call(deleteParent, { params: { id } })
        await eventually(async () => {
          const { rows } = await pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return rows.length > 0
        })
        await change.query('update identity.students set name = $2 where id = $1', [child, 'Changed Child'])
        await change.query('commit')
        change.release()
        expect(await deleted).toEqual({ message: 'Parent deleted successfully' })
      })

      test('is deleted once, however many ask at the same time', async () => {
        const { id } = await parent(school, 'doomed')
        const asked = Array.from({ length: 5 }, () => office.call(deleteParent, { params: { id } }))
        const ended = await Promise.allSettled(asked)
        expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        for (const { reason } of ended.filter((one) => one.status === 'rejected'))
          expect(reason).toEqual(refusal(404, 'parent_not_found'))
      })

      test('with orders is deleted only when forced', async () => {
        const { client, id } = await parent(school, 'ordering')
        const child = await client.call(addStudent, { body: { name: 'Chipo', grade: '3' } })
        school.world.ordersOf.set(child.id, 2)
        school.world.mealsInPayment = 1
        await expect(office.call(deleteParent, { params: { id } })).rejects.toEqual(
          refusal(409, 'parent_has_orders', {
            canForce: true,
            orderCount: 2,
            mealsInPayment: 1,
            details: 'ordering has 2 orders and 1 meal being paid for and cannot be deleted',
          }),
        )
        school.world.mealsInPayment = 0
        expect(await isSignedIn(client)).toBe(true)
        await office.call(deleteParent, { params: { id }, query: { force: 'true' } })
        expect(school.world.ordersOf.has(child.id)).toBe(false)
        expect(await isSignedIn(client)).toBe(false)
      })

      test('goes before its orders: what a fault cuts off there, the sweep goes on with', async () => {
        const { client, id } = await parent(school, 'interrupted', { email: 'interrupted@example.com' })
        const child = await client.call(addStudent, { body: { name: 'Mulenga Interrupted', grade: '3' } })
        school.world.ordersOf.set(child.id, 1)
        school.world.cancellingFails = true
        await office.call(deleteParent, { params: { id }, query: { force: 'true' } })
        expect(await isSignedIn(client)).toBe(false)
        expect(school.world.ordersOf.has(child.id)).toBe(true)
        school.world.cancellingFails = false
        const { run } = school.enrolment.sweeps.find(({ name }) => name === 'finish-deletions')!
        await run()
        expect(school.world.ordersOf.has(child.id)).toBe(false)
        const left = await tableContents(school.database.pool)
        expect(JSON.stringify(left)).not.toMatch(/interrupted/i)
      })
    })

    describe('a student', () => {
      test('is deleted; with orders only when forced', async () => {
        const { client } = await parent(school, 'of.two')
        const child = await client.call(addStudent, { body: { name: 'Taonga', grade: '3' } })
        const at = { params: { id: child.id } }
        school.world.ordersOf.set(child.id, 1)
        await expect(office.call(deleteAnyStudent, at)).rejects.toEqual(
          refusal(409, 'student_has_orders', { canForce: true, orderCount: 1, mealsInPayment: 0 }),
        )
        expect(await office.call(deleteAnyStudent, { ...at, query: { force: 'true' } })).toEqual({
          message: 'Student deleted successfully',
        })
        expect(await client.call(listStudents)).toEqual([])
        await expect(office.call(deleteAnyStudent, at)).rejects.toEqual(refusal(404, 'student_not_found'))
      })
    })

    test('users are searched by 2 characters of username or name, at most 20', async () => {
      for (let number = 0; number < 22; number += 1)
        await office.call(createParent, {
          body: { username: `many.${String(number).padStart(2, '0')}`, password: 'many-secret' },
        })
      const { users } = await office.call(searchUsers, { query: { q: 'MANY' } })
      expect(users).toHaveLength(20)
      expect(users[0]).toEqual({ id: expect.any(Number), username: 'many.00', children: [] })
      await expect(office.call(searchUsers, { query: { q: 'm' } })).rejects.toEqual(
        refusal(422, 'validation_failed'),
      )
    })
  })

  describe('directory', () => {
    beforeAll(async () => {
      await school.identity.ensureSuperadmin()
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
      const student = {
        id: child.id,
        userId: id,
        name: 'Chipo',
        grade: '4',
        class: null,
        admissionNumber: null,
      }
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
  })
})

describe('students', () => {
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
      expect(child).toMatchObject({
        id: expect.any(Number),
        ...chipo,
        ...onRoll,
        parent_id: id,
        parentId: id,
      })
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
      const version = expect.any(String)
      expect(changed).toEqual({ ...child, name: 'Chipo B.', grade: '5', version })
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
})
