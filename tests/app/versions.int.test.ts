import {
  getStaffCode,
  listAdmins,
  listParents,
  saveStaffCode,
  setAdminStatus,
  setPermissions,
  updateParent,
} from '#contracts/accounts'
import { getBooksSettings, saveBooksSettings } from '#contracts/books'
import { getMenuItem, listMenu, setArchived, setAvailability, updateMenuItem } from '#contracts/catalogue'
import { getCutoff, saveCutoff } from '#contracts/cycles'
import { roll } from '#contracts/enrolment'
import {
  getAllergens,
  getAllergyRule,
  getHealth,
  saveAllergens,
  saveAllergyRule,
  saveHealth,
} from '#contracts/health'
import {
  currentUser,
  getCommunication,
  getSecurity,
  listStudents,
  saveCommunication,
  saveSecurity,
  updateProfile,
  updateStudent,
} from '#contracts/identity'
import { bulkArchive, listMenuItems } from '#contracts/menu-list'
import {
  getMessageSettings,
  getUserMessages,
  saveMessageSettings,
  saveUserMessages,
} from '#contracts/messages'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { getPrivacySettings, savePrivacySettings } from '#contracts/privacy'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'

let canteen: Canteen
let office: Client
let other: Client
let family: Awaited<ReturnType<Canteen['family']>>
beforeAll(async () => {
  canteen = await openCanteen()
  office = canteen.superadminClient
  other = await canteen.administrator('thandiwe', 'menu', 'settings', 'parents_students', 'admins', 'kitchen')
  await canteen.administrator('cook', 'kitchen')
  family = await canteen.family('mwila', '3')
})
afterAll(() => canteen.close())

/** A record as one form shows it, how another person changes it, and how the form saves it. */
type Editor = {
  read: () => Promise<{ version: string }>
  change: (how: 'first' | 'second', version?: string) => Promise<{ version: string } | undefined>
  /** The first field that differs. */
  field: string
  by: string
}

const thandiwe = 'thandiwe'

const settings = <Shown extends { version: string }>(
  read: () => Promise<Shown>,
  save: (body: Shown) => Promise<{ version: string }>,
  field: keyof Shown & string,
  values: [first: unknown, second: unknown],
): Editor => ({
  read,
  change: async (how, version) => {
    const { version: _version, ...shown } = await read()
    const body = { ...shown, [field]: how === 'first' ? values[0] : values[1], version }
    return save(body as unknown as Shown)
  },
  field,
  by: thandiwe,
})

const editors: Record<string, () => Editor> = {
  'a dish': () =>
    settings(
      () => other.call(getMenuItem, { params: { id: canteen.items.stew.id } }),
      (body) => other.call(updateMenuItem, { params: { id: canteen.items.stew.id }, body }),
      'allergens',
      [['Peanuts'], ['Milk']],
    ),
  'a child’s health': () => {
    const params = { id: family.children[0]!.id }
    return {
      ...settings(
        () => family.parent.call(getHealth, { params }),
        (body) => family.parent.call(saveHealth, { params, body }),
        'medicalNote',
        ['EpiPen in the bag', ''],
      ),
      by: 'mwila',
    }
  },
  'an account': () => ({
    ...settings(
      () => family.parent.call(currentUser),
      ({ name, version }) => family.parent.call(updateProfile, { body: { name, version } }),
      'name',
      ['Mutinta', 'Mutinta Mwila'],
    ),
    by: 'mwila',
  }),
  'a parent': () => {
    const read = async () => (await other.call(listParents, { query: { search: 'mwila' } })).data[0]!
    return settings(
      read,
      ({ id, students: _students, role: _role, email, phone, ...body }) =>
        other.call(updateParent, {
          params: { id },
          body: { ...body, email: email ?? undefined, phone: phone ?? undefined },
        }),
      'name',
      ['Mrs Mwila', 'Mrs M. Mwila'],
    )
  },
  'a child, by its parent': () => ({
    ...settings(
      async () => (await family.parent.call(listStudents))[0]!,
      ({ id, name, version }) =>
        family.parent.call(updateStudent, { params: { id }, body: { name, grade: '3', version } }),
      'name',
      ['Chipo', 'Chipo Mwila'],
    ),
    by: 'mwila',
  }),
  'a child, by the office': () =>
    settings(
      async () => (await other.call(roll, { query: {} })).data[0]!,
      ({ id, name, class: of, version }) =>
        other.call(updateStudent, { params: { id }, body: { name, grade: '3', class: of, version } }),
      'class',
      ['3A', '3B'],
    ),
  'an administrator': () => {
    const read = async () => (await office.call(listAdmins)).find(({ username }) => username === 'cook')!
    return {
      read,
      change: async (how, version) =>
        office.call(setAdminStatus, {
          params: { id: (await read()).id },
          body: { disabled: how === 'first', version },
        }),
      field: 'disabled',
      by: 'superadmin',
    }
  },
  'how the school writes to a family': () => ({
    ...settings(
      () => family.parent.call(getUserMessages),
      ({ channel, reminders, version }) =>
        family.parent.call(saveUserMessages, { body: { channel, reminders, version } }),
      'reminders',
      [false, true],
    ),
    by: 'mwila',
  }),
  'settings of messages': () =>
    settings(
      () => other.call(getMessageSettings),
      (body) => other.call(saveMessageSettings, { body }),
      'dailyCeiling',
      [100, 200],
    ),
  'settings of contacts': () =>
    settings(
      () => other.call(getCommunication),
      (body) => other.call(saveCommunication, { body }),
      'whatsappNumber',
      ['097', '096'],
    ),
  'settings of privacy': () =>
    settings(
      () => other.call(getPrivacySettings),
      (body) => other.call(savePrivacySettings, { body }),
      'dataProtectionOfficer',
      ['Mr Phiri', 'Mrs Zulu'],
    ),
  'settings of security': () =>
    settings(
      () => other.call(getSecurity),
      (body) => other.call(saveSecurity, { body }),
      'maxChildren',
      [7, 8],
    ),
  'the staff code': () =>
    settings(
      () => other.call(getStaffCode),
      (body) => other.call(saveStaffCode, { body }),
      'staffCode',
      ['baobab-1', 'baobab-2'],
    ),
  'the rules of ordering': () =>
    settings(
      () => other.call(getOrderingRules),
      (body) => other.call(saveOrderingRules, { body }),
      'absencePercent',
      [40, 50],
    ),
  'the rule for allergies': () =>
    settings(
      () => other.call(getAllergyRule),
      (body) => other.call(saveAllergyRule, { body }),
      'rule',
      ['warn', 'block'],
    ),
  'the list of allergens': () =>
    settings(
      () => other.call(getAllergens),
      (body) => other.call(saveAllergens, { body }),
      'allergens',
      [['Lupin'], ['Celery']],
    ),
  'settings of the books': () =>
    settings(
      () => other.call(getBooksSettings),
      (body) => other.call(saveBooksSettings, { body }),
      'vatPercent',
      [16, 17],
    ),
  'ways to pay': () =>
    settings(
      () => other.call(getPaymentBypass),
      (body) => other.call(savePaymentBypass, { body }),
      'beside',
      [true, false],
    ),
  'the cutoff': () =>
    settings<{ version: string; cutoffHour: number; cutoffMinute: number }>(
      () => other.call(getCutoff),
      ({ cutoffHour: hour, cutoffMinute: minute, version }) =>
        other.call(saveCutoff, { body: { hour, minute, version } }),
      'cutoffMinute',
      [1, 2],
    ),
}

describe.each(Object.keys(editors))('%s', (name) => {
  test('is not saved over by a form that is older, which is told who changed what', async () => {
    const { read, change, field, by } = editors[name]!()
    const { version: shown } = await read()
    const saved = await change('first', shown)
    const { version } = await read()
    expect(saved?.version).toBe(version)
    expect(version).not.toBe(shown)

    const answer = await refused(change('second', shown))
    expect(answer).toMatchObject({
      status: 409,
      code: 'changed_meanwhile',
      changed: { by, at: expect.any(String), version },
    })
    expect((answer.changed as { fields: { field: string }[] }).fields.map((one) => one.field)).toEqual([
      field,
    ])
    expect((await read()).version).toBe(version)

    const unknown = await refused(change('second', 'never-given'))
    expect(unknown).toMatchObject({ status: 422, fields: { version: expect.any(String) } })
    expect((await read()).version).toBe(version)

    expect((await change('second', version))?.version).not.toBe(version)
    await change('first')
    expect((await read()).version).toBe(version)
  })
})

test('what stands on the lists of the menu has the version of the dish, and each act on it makes another', async () => {
  const { id } = canteen.items.porridge
  const read = async () => (await other.call(getMenuItem, { params: { id } })).version
  const first = await read()
  const listed = (await other.call(listMenu)).find((item) => item.id === id)!
  const { data } = await other.call(listMenuItems, { query: {} })
  expect([listed.version, data.find((item) => item.id === id)!.version]).toEqual([first, first])
  const at = { params: { id } }
  const off = await other.call(setAvailability, { ...at, body: { isAvailable: false, version: first } })
  const away = await other.call(bulkArchive, { body: { itemIds: [id], isArchived: true } })
  expect(new Set([first, off.version, away[0]!.version]).size).toBe(3)
  for (const act of [
    other.call(setAvailability, { ...at, body: { isAvailable: true, version: first } }),
    other.call(setArchived, { ...at, body: { isArchived: false, version: first } }),
  ].map(refused))
    expect(await act).toMatchObject({ code: 'changed_meanwhile', status: 409 })
  await other.call(setArchived, { ...at, body: { isArchived: false } })
  expect((await other.call(setAvailability, { ...at, body: { isAvailable: true } })).version).toBe(first)
})

describe('what is added and taken away', () => {
  const rights = async () => (await office.call(listAdmins)).find(({ username }) => username === thandiwe)!
  const set = async (body: object) =>
    office.call(setPermissions, { params: { id: (await rights()).id }, body: body as never })

  test('a right that was withdrawn meanwhile does not come back with another one', async () => {
    await set({ remove: ['kitchen'] })
    expect((await set({ add: ['revenue'] })).allowedFeatures).toEqual([
      'menu',
      'settings',
      'parents_students',
      'admins',
      'revenue',
    ])
    const { version } = await rights()
    await set({ remove: ['revenue'] })
    expect(await refused(set({ add: ['kitchen'], version }))).toMatchObject({ code: 'changed_meanwhile' })
    expect((await set({ add: ['kitchen'] })).allowedFeatures).toContain('kitchen')
  })

  test('the same right in both is refused, and so is neither', async () => {
    expect(await refused(set({ add: ['menu'], remove: ['menu'] }))).toMatchObject({ status: 422 })
    expect(await refused(set({}))).toMatchObject({ status: 422, fields: { features: 'Required' } })
    expect(await refused(set({ features: ['menu'], add: ['cycles'] }))).toMatchObject({ status: 422 })
  })

  test('an allergen that another person adds stays when one is taken away', async () => {
    const save = (body: object) => other.call(saveAllergens, { body: body as never })
    await save({ allergens: ['Lupin'] })
    await save({ add: ['Celery'] })
    expect((await save({ remove: ['lupin'] })).allergens.slice(-1)).toEqual(['Celery'])
    expect(await refused(save({ add: ['Mango'], remove: [' mango'] }))).toMatchObject({ status: 422 })
  })
})
