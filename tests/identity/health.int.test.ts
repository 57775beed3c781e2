import { acceptGuardianInvite, deleteParent, inviteGuardian } from '#contracts/accounts'
import { createMenuItem } from '#contracts/catalogue'
import type { BodyOf } from '#contracts/endpoint'
import {
  familyMealMarks,
  foundAllergens,
  getAllergens,
  getAllergyRule,
  getHealth,
  mealMarks,
  saveAllergens,
  saveAllergyRule,
  saveHealth,
  standardAllergens,
} from '#contracts/health'
import { addStudent, convertToTeacher, createAdmin, deleteStudent, listStudents } from '#contracts/identity'
import type { ChangeRow } from '#platform/changes'
import type { Client } from '../../src/app/demo/client'
import { soup } from '../catalogue/catalogue-only'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal, signedIn, verifiedParent } from './people'

let school: IdentityServer
let superadmin: Client
let office: Client
beforeAll(async () => {
  school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  await school.identity.ensureSuperadmin()
  superadmin = await signedIn(school, 'superadmin')
  office = await administrator('office', 'parents_students')
})
afterAll(() => school.close())
afterEach(() => expect(school.faults()).toEqual([]))

const administrator = async (username: string, feature: 'parents_students' | 'kitchen') => {
  const password = `${username}-secret`
  await superadmin.call(createAdmin, { body: { username, password, allowedFeatures: [feature] } })
  return signedIn(school, username)
}

const family = async (username: string) => {
  const { client, id } = await parent(school, username)
  const child = await client.call(addStudent, { body: { name: `Child of ${username}`, grade: '4' } })
  return { client, id, childId: child.id, at: { params: { id: child.id } } }
}

const notFound = refusal(404, 'student_not_found', { message: 'Student not found' })
const undeclared = { allergies: null, diet: 'none', medicalNote: '', noteConsent: false, updatedAt: null }
const inhaler = {
  allergies: ['Peanuts', 'Milk'],
  diet: 'halal',
  medicalNote: 'Inhaler in the bag',
  noteConsent: true,
} as const
const form = { ...inhaler, allergies: [...inhaler.allergies] }

const unknown = (word: string, near: string) =>
  `"${word}" is not on the school's list of allergens; the nearest is ${near}`

const nothing = (allergies: [] | null) => ({
  allergies,
  diet: 'none' as const,
  medicalNote: '',
  noteConsent: false,
})

const noted = async () => {
  const rows: ChangeRow[] = await school.database.knex('platform.changes').orderBy('seq')
  return rows.map(({ actor, change }) => [actor, change.what, change.old, change.new])
}

describe('the health record of a child', () => {
  test('is undeclared until a parent declares it, whole', async () => {
    const { client, at } = await family('mwila')
    expect(await client.call(getHealth, at)).toMatchObject(undeclared)
    const saved = await client.call(saveHealth, { ...at, body: form })
    expect(saved).toMatchObject({ ...inhaler, updatedAt: school.world.now.toISOString() })
    expect(await client.call(getHealth, at)).toMatchObject(saved)
    const none = await client.call(saveHealth, { ...at, body: nothing([]) })
    expect(none).toMatchObject({ ...undeclared, allergies: [], updatedAt: saved.updatedAt })
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'PUT', headers, body: '{"allergies":[]}' }
    const path = `/api/students/${at.params.id}/health`
    expect((await client.fetch(path, sent)).status).toBe(200)
    const again = await client.call(saveHealth, { ...at, body: nothing(null) })
    expect(again.allergies).toBeNull()
  })

  test("is the guardians' and the office's alone", async () => {
    const { client: owner, at } = await family('grace')
    await owner.call(saveHealth, { ...at, body: form })
    const { client: stranger } = await family('kelvin')
    await expect(stranger.call(getHealth, at)).rejects.toEqual(notFound)
    await expect(stranger.call(saveHealth, { ...at, body: nothing([]) })).rejects.toEqual(notFound)
    const kitchen = await administrator('kitchen', 'kitchen')
    await expect(kitchen.call(getHealth, at)).rejects.toEqual(refusal(403, 'forbidden'))
    await expect(office.call(getHealth, { params: { id: 999_999 } })).rejects.toEqual(notFound)
    expect(await office.call(getHealth, at)).toMatchObject(inhaler)
    await expect(school.visitor().call(getHealth, at)).rejects.toEqual(refusal(401, 'not_signed_in'))
  })

  test('is noted when the office looks at it or anybody changes it, without what it says', async () => {
    const { client, id, at } = await family('chola')
    const before = (await noted()).length
    await client.call(saveHealth, { ...at, body: form })
    await client.call(getHealth, at)
    await office.call(getHealth, at)
    await office.call(saveHealth, { ...at, body: { ...form, medicalNote: '' } })
    const { updatedAt } = await client.call(getHealth, at)
    await office.call(saveHealth, { ...at, body: { ...form, medicalNote: '' } })
    const same = await client.call(saveHealth, { ...at, body: { ...form, medicalNote: '' } })
    expect(same.updatedAt).toBe(updatedAt)
    const record = `Health record of student ${at.params.id}`
    const told = (await noted()).slice(before)
    expect(told.map(([, ...rest]) => rest)).toEqual([
      [`${record} changed`, null, null],
      [`${record} read`, null, null],
      [`${record} changed`, null, null],
    ])
    expect(told[0]![0]).toBe(`user:${id}`)
    expect(told[1]![0]).toBe(told[2]![0])
    expect(told[1]![0]).not.toBe(told[0]![0])
  })

  test('marks meals for the office that orders for the family, which the history says', async () => {
    const { client, id, at, childId } = await family('nkole')
    await client.call(saveHealth, { ...at, body: form })
    const params = { id }
    const marks = await office.call(familyMealMarks, { params })
    expect(marks).toEqual(await client.call(mealMarks))
    expect(marks.students).toMatchObject([{ studentId: childId, diet: 'halal' }])
    expect((await noted()).at(-1)).toEqual([
      expect.any(String),
      `Allergies and diets of the family of {user:${id}} read`,
      null,
      null,
    ])
    await expect(office.call(familyMealMarks, { params: { id: 999_999 } })).rejects.toEqual(
      refusal(404, 'parent_not_found'),
    )
    const cook = await administrator('cook-of-meals', 'kitchen')
    await expect(cook.call(familyMealMarks, { params })).rejects.toEqual(refusal(403, 'forbidden'))
  })

  test("takes allergens of the school's list only, in its spelling and each once", async () => {
    const { client, at } = await family('luyando')
    const saved = await client.call(saveHealth, {
      ...at,
      body: { ...form, allergies: ['pEANUTS', 'Tree nuts; groundnut', ' PEANUTS '] },
    })
    expect(saved.allergies).toEqual(['Peanuts', 'Tree Nuts'])
    const message = `${unknown('Kiwi', 'Sesame')}. ${unknown('Figs', 'Fish')}`
    const refused = client.call(saveHealth, { ...at, body: { ...form, allergies: ['Kiwi', 'Milk', 'Figs'] } })
    await expect(refused).rejects.toEqual(
      refusal(422, 'allergen_unknown', { message, fields: { allergies: message } }),
    )
    expect((await client.call(getHealth, at)).allergies).toEqual(['Peanuts', 'Tree Nuts'])
    const declared = (...allergies: string[]) =>
      client.call(saveHealth, { ...at, body: { ...form, allergies } }).then(({ allergies: read }) => read)
    expect(await declared('n/a')).toEqual([])
    expect(await declared('Contains: dairy')).toEqual(['Milk'])
    await expect(declared('none', 'Milk')).rejects.toEqual(refusal(422, 'allergen_unknown'))
  })

  test('has a note of 200 characters at most and one of five diets', async () => {
    const { client, at } = await family('joseph')
    const wrong = [
      [{ medicalNote: 'a'.repeat(201) }, 'medicalNote', 'The note can have at most 200 characters'],
      [{ diet: 'keto' }, 'diet', 'Choose a diet'],
      [{ allergies: undefined }, 'allergies', 'Required'],
    ] as const
    for (const [change, field, message] of wrong) {
      const refused = client.call(saveHealth, { ...at, body: { ...form, ...change } as never })
      await expect(refused).rejects.toEqual(
        refusal(422, 'validation_failed', { fields: { [field]: message } }),
      )
    }
    const longest = { ...form, medicalNote: 'a'.repeat(200) }
    expect(await client.call(saveHealth, { ...at, body: longest })).toMatchObject(longest)
  })

  test('goes with the child, and with the family', async () => {
    const { client, id, childId, at } = await family('bupe')
    const second = await client.call(addStudent, { body: { name: 'Second', grade: 'K' } })
    await client.call(saveHealth, { ...at, body: form })
    await client.call(saveHealth, { params: { id: second.id }, body: form })
    const left = () =>
      school.database
        .knex('identity.student_health')
        .whereIn('studentId', [childId, second.id])
        .pluck('studentId')
    await client.call(deleteStudent, at)
    expect(await left()).toEqual([second.id])
    await superadmin.call(deleteParent, { params: { id } })
    expect(await left()).toEqual([])
  })
})

test('the other guardians are told that somebody has changed it, and not what', async () => {
  const mother = await verifiedParent(school, 'chishimba', { email: 'chishimba@example.org' })
  const father = await parent(school, 'lungu', { email: 'lungu@example.org' })
  const { id } = await mother.client.call(addStudent, { body: { name: 'Kondwani Phiri', grade: '4' } })
  const at = { params: { id } }
  const { code } = await mother.client.call(inviteGuardian, { ...at, body: {} })
  await father.client.call(acceptGuardianInvite, { params: { idOrCode: code } })
  const toldBy = async (by: Client, body: BodyOf<typeof saveHealth>) => {
    await school.runJobs()
    school.world.mails = []
    await by.call(saveHealth, { ...at, body })
    await school.runJobs()
    return school.world.mails
  }

  const [mothers, ...others] = await toldBy(father.client, form)
  expect(others).toEqual([])
  expect(mothers).toMatchObject({ to: 'chishimba@example.org' })
  expect(mothers!.text).toContain(
    'Another guardian has changed the allergies, the diet or the note of Kondwani Phiri. Please log in',
  )
  expect(await toldBy(father.client, form)).toEqual([])
  const both = await toldBy(office, { ...form, allergies: ['Peanuts'] })
  expect(both.map(({ to }) => to).toSorted()).toEqual(['chishimba@example.org', 'lungu@example.org'])
  const unproven = both.find(({ to }) => to.startsWith('lungu'))!
  expect(unproven.text).toContain('The school office has changed what the kitchen knows of a child of yours.')
  for (const { subject, text } of [mothers!, ...both])
    expect(`${subject} ${text}`).not.toMatch(/peanut|milk|halal|inhaler/i)
  expect(unproven.text).not.toMatch(/Kondwani|allerg/)
  const changed = (await noted()).filter(([, what]) => what === `Health record of student ${id} changed`)
  expect(changed.map(([actor]) => actor)).toEqual([`user:${father.id}`, expect.stringMatching(/^user:\d+$/)])
})

test('a teacher has one for their own staff entry', async () => {
  const { client: before } = await parent(school, 'teacher')
  await before.call(convertToTeacher)
  const teacher = await signedIn(school, 'teacher')
  const [staff] = await teacher.call(listStudents)
  const at = { params: { id: staff!.id } }
  expect(await teacher.call(saveHealth, { ...at, body: form })).toMatchObject(inhaler)
})

test('a child that was entered twice has one record, under either number', async () => {
  const { client, childId, at } = await family('twins')
  const twin = await client.call(addStudent, { body: { name: 'Child of twins', grade: '4' } })
  await client.call(saveHealth, { ...at, body: form })
  await school.database.knex('identity.students').where({ id: twin.id }).update({ mergedInto: childId })
  const other = { params: { id: twin.id } }
  expect(await client.call(getHealth, other)).toMatchObject(inhaler)
  await client.call(saveHealth, { ...other, body: { ...form, allergies: ['Eggs'] } })
  expect(await client.call(getHealth, at)).toMatchObject({ allergies: ['Eggs'] })
  const known = await school.identity.healthOf([twin.id])
  expect(known.get(twin.id)).toMatchObject({ allergies: ['Eggs'] })
})

test('a cart asks for the children with their allergies and diet and their other numbers', async () => {
  const { client, childId, at } = await family('carts')
  const twin = await client.call(addStudent, { body: { name: 'Child of carts', grade: '4' } })
  const silent = await client.call(addStudent, { body: { name: 'Silent', grade: '4' } })
  await client.call(saveHealth, { ...at, body: form })
  const students = school.database.knex('identity.students')
  await students.where({ id: twin.id }).update({ mergedInto: childId })
  const account = await school.database.knex('identity.students').where({ id: childId }).first('userId')
  const children = await school.identity.cartChildrenOf(account.userId)
  expect(children).toMatchObject([
    {
      student: { id: childId },
      needs: { allergies: ['Peanuts', 'Milk'], diet: 'halal' },
      otherIds: [twin.id],
    },
    { student: { id: silent.id }, needs: { allergies: [], diet: 'none' }, otherIds: [] },
  ])
})

test('the kitchen is told allergies and diet of everybody asked for, the note with consent alone', async () => {
  const [one, other, silent] = [await family('one'), await family('other'), await family('silent')]
  await one.client.call(saveHealth, { ...one.at, body: form })
  await other.client.call(saveHealth, { ...other.at, body: { ...form, allergies: [], noteConsent: false } })
  const ids = [one.childId, other.childId, silent.childId]
  expect([...(await school.identity.healthOf(ids))]).toEqual([
    [ids[0], { allergies: ['Peanuts', 'Milk'], diet: 'halal', medicalNote: 'Inhaler in the bag' }],
    [ids[1], { allergies: [], diet: 'halal', medicalNote: null }],
    [ids[2], { allergies: null, diet: 'none', medicalNote: null }],
  ])
})

const list = async () => (await superadmin.call(getAllergens)).allergens
const save = (own: readonly string[]) => superadmin.call(saveAllergens, { body: { allergens: [...own] } })

/** The menu is one item with these words for its allergens, or none. */
const itemsWith = async (...words: string[]) => {
  const { knex } = school.database
  await knex('catalogue.menu_items').delete()
  if (words.length === 0) return
  await superadmin.call(createMenuItem, { body: soup })
  await knex('catalogue.menu_items').update({ allergens: words })
}

describe("the school's list of allergens", () => {
  test('has the standard ones, and the own ones that the office adds, whatever their case', async () => {
    expect(await list()).toEqual([...standardAllergens])
    expect((await save(['mango; Lactose', 'Kiwi', 'MILK', 'kiwis', 'none'])).allergens).toEqual([
      ...standardAllergens,
      'Kiwi',
      'mango',
    ])
    await save([...standardAllergens, 'Mango'])
    expect(await list()).toEqual([...standardAllergens, 'Mango'])
    expect((await noted()).at(-1)!.slice(1)).toEqual(['List of allergens saved', null, null])
    expect((await save([])).allergens).toEqual([...standardAllergens])
  })

  test('has 20 own ones at most', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => `Own ${index}`)
    expect((await save(twenty)).allergens).toHaveLength(29)
    await expect(save([...twenty, 'One more'])).rejects.toEqual(
      refusal(422, 'too_many_allergens', {
        message: 'The school can have at most 20 allergens of its own',
      }),
    )
    await save([])
  })

  test('takes up words of menu items that it lacks and shows them to the office once', async () => {
    await itemsWith('milk;Gluten', 'Lupin', 'lupins', 'Celery')
    expect(await list()).toEqual([...standardAllergens, 'Celery', 'Lupin'])
    expect(await superadmin.call(foundAllergens)).toEqual({ found: ['Celery', 'Lupin'] })
    await save(await list())
    expect(await superadmin.call(foundAllergens)).toEqual({ found: [] })
    await expect(save(['Celery'])).rejects.toEqual(refusal(409, 'allergen_in_use', { allergens: ['Lupin'] }))
    await itemsWith()
    await save([])
  })

  test('keeps an own one that a child has', async () => {
    await save(['Kiwi'])
    const { client, at } = await family('kiwi')
    await client.call(saveHealth, { ...at, body: { ...form, allergies: ['kiwi'] } })
    await expect(save([])).rejects.toEqual(refusal(409, 'allergen_in_use', { allergens: ['Kiwi'] }))
    await client.call(saveHealth, { ...at, body: { ...form, allergies: [] } })
    await save([])
  })
})

test('a meal with an allergen of the child is refused until the office lets parents decide', async () => {
  const { client } = await family('ruled')
  expect(await client.call(getAllergyRule)).toMatchObject({ rule: 'block' })
  expect(await school.catalogue.allergyRule()).toBe('block')
  const warn = { body: { rule: 'warn' } } as const
  await expect(client.call(saveAllergyRule, warn)).rejects.toEqual(refusal(403, 'forbidden'))
  await expect(office.call(saveAllergyRule, warn)).rejects.toEqual(refusal(403, 'forbidden'))
  expect(await superadmin.call(saveAllergyRule, warn)).toMatchObject({ rule: 'warn' })
  expect(await school.catalogue.allergyRule()).toBe('warn')
  expect((await noted()).at(-1)!.slice(1)).toEqual([
    'Allergy rule changed',
    { rule: 'block' },
    { rule: 'warn' },
  ])
})
