import type * as z from 'zod/v4/core'
import { saveStaffCode } from '#contracts/accounts'
import { getBooksSettings, saveBooksSettings } from '#contracts/books'
import { type MenuItem, createMenuItem } from '#contracts/catalogue'
import { closeDays } from '#contracts/closures'
import { createCycle } from '#contracts/cycles'
import { saveAllergens, saveHealth } from '#contracts/health'
import {
  type Student,
  addStudent,
  contact,
  createAdmin,
  currentUser,
  register,
  saveCommunication,
  updateProfile,
  updateStudent,
} from '#contracts/identity'
import { createDiscountCode } from '#contracts/order-reports'
import { cancelOrder, listOrders, placeOrders } from '#contracts/ordering'
import { createPayment, savePaymentBypass, updateAttempt } from '#contracts/payments'
import { savePrivacySettings } from '#contracts/privacy'
import { completeRefund } from '#contracts/refunds'
import { sendMarks } from '#contracts/serving'
import { countIn } from '#contracts/transfers'
import type { Client } from '../../src/app/demo/client'
import { payByCard } from '../../src/app/demo/ordering'
import { eventually } from '../support/eventually'
import { startSchool, superadminPassword } from '../support/school'
import { uploaded } from '../support/upload-statement'
import { limitsOf } from './schema-values'

/** The names of the fields in which a body takes any text: no form, no list of words. */
export const freeTextIn = (schema: z.$ZodType, name = ''): string[] => {
  const { def } = (schema as z.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return limitsOf(schema).format ? [] : [name]
    case 'object':
      return Object.entries(def.shape).flatMap(([key, part]) => freeTextIn(part, key))
    case 'array':
      return freeTextIn(def.element, name)
    case 'record':
      return freeTextIn(def.valueType, name)
    case 'union':
      return def.options.flatMap((option) => freeTextIn(option, name))
    case 'pipe':
      return freeTextIn(def.in, name)
    case 'optional':
    case 'nullable':
    case 'default':
      return freeTextIn(def.innerType, name)
    default:
      return []
  }
}

/** The names of the fields of a body whose text holds these words. */
const namesOf = (value: unknown, words: string, name = ''): string[] => {
  if (typeof value === 'string') return value.includes(words) ? [name] : []
  if (Array.isArray(value)) return value.flatMap((one) => namesOf(one, words, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [
    // What is kept under a text, as the description of a protein is, belongs to the field around it.
    ...namesOf(part, words, key.includes(words) ? name : key),
  ])
}

/** The same client, which notes the fields that went through with these words in them. */
const noting = (client: Client, words: string, noted: Set<string>): Client => ({
  ...client,
  call: async (endpoint, input) => {
    const reply = await client.call(endpoint, input)
    for (const name of namesOf(input?.body, words)) noted.add(name)
    return reply
  },
})

/** A text that does something wherever it is taken for HTML, ending with a word by which it is found. */
export const marked = (label: string) => `${mark}${label}`
const mark = '<img src=x onerror=stolen=1>'

/** The names of all fields in which such a text went through. */
export const markedFields = new Set<string>()

/** A username holds letters, digits and . - _ @ alone. */
export const markedUser = {
  username: 'marked.user',
  password: 'parent-password',
  email: 'mwila@example.org',
}

/** The labels of the fields that some screen shows; each must be found there as text. */
export const shownLabels =
  'school name phone child closed dish about protein slow allergen side comment spilt CODE whatsapp airtel number bank account branch swift tpin address medical officer payer words'.split(
    ' ',
  )

const day = (item: MenuItem, student: Student, dayOfWeek: number) => ({
  menuItemId: item.id,
  studentId: student.id,
  weekNumber: 1,
  dayOfWeek,
  category: marked('protein'),
  sideDish: marked('side'),
  comments: marked('comment'),
  originalPrice: 35,
  customerName: marked('customer'),
  customerEmail: 'mwila@example.org',
})

const ways = {
  enabled: true,
  beside: false,
  prompt: false,
  unpaidUntil: 'never' as const,
  airtelMoney: { name: marked('airtel'), number: marked('number') },
  mtnMoney: { name: marked('mtn'), number: marked('number') },
  bankTransfer: {
    bankName: marked('bank'),
    accountName: marked('account'),
    accountNumber: marked('number'),
    branchName: marked('branch'),
    swiftCode: marked('swift'),
  },
}

/** A school in which every text that anybody may enter is a picture that does something when it fails to load. */
export const openMarkedSchool = async (webRoot: string) => {
  const school = await startSchool({
    at: '2026-09-14T06:00:00+02:00',
    webRoot,
    variables: { SCHOOL_NAME: marked('school') },
  })
  const office = noting(await school.superadmin(), mark, markedFields)
  const item = await menuOf(office)
  await office.call(savePrivacySettings, { body: { dataProtectionOfficer: marked('officer') } })
  await statementOf(office)
  await office.call(saveBooksSettings, {
    body: {
      ...(await office.call(getBooksSettings)),
      tpin: marked('tpin'),
      address: marked('address'),
    },
  })
  const parent = noting(school.visitor(), mark, markedFields)
  await parent.call(register, { body: { ...markedUser, name: marked('name') } })
  const { child } = await familyOf(parent, item)
  await office.call(updateStudent, {
    params: { id: child.id },
    body: { name: marked('child'), grade: '9', admissionNumber: marked('A-17') },
  })
  await office.call(saveStaffCode, { body: { staffCode: marked('staff code') } })
  await office.call(createAdmin, {
    body: { username: 'marked.admin', password: 'admin-password', allowedFeatures: ['menu'] },
  })
  const { id: userId } = await parent.call(currentUser)
  await office.call(createDiscountCode, {
    body: {
      code: marked('CODE'),
      userId,
      discountPercentage: 0,
      isActive: true,
      sponsor: marked('sponsor'),
    },
  })
  await office.call(saveCommunication, {
    body: { supportEmail: 'office@example.org', whatsappNumber: marked('whatsapp') },
  })
  await parent.call(contact, {
    body: { name: marked('sender'), email: markedUser.email, message: marked('message to the school') },
  })
  return { school, office, item, userId }
}

const menuOf = async (office: Client) => {
  await office.call(saveAllergens, { body: { allergens: [marked('first')] } })
  await office.call(saveAllergens, { body: { add: [marked('allergen')], remove: [marked('first')] } })
  const item = await office.call(createMenuItem, {
    body: {
      name: marked('dish'),
      description: marked('about'),
      price: '35.00',
      imageUrl: 'https://example.org/"onerror="stolen=1',
      type: 'secondary',
      categories: [marked('protein')],
      proteinDescriptions: { [marked('protein')]: marked('slow') },
      weekNumbers: [1, 2, 3, 4],
      daysOfWeek: [1, 2, 3, 4, 5],
      allergens: [marked('allergen')],
      sideDishes: [marked('side')],
      isAvailable: true,
    },
  })
  const cycle = await office.call(createCycle, {
    body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [] },
  })
  await office.call(closeDays, {
    params: { id: cycle.id },
    body: { dates: ['2026-10-09'], reason: marked('closed'), remedy: 'refund' },
  })
  return item
}

/** A statement with an open payment that the office counted in by hand. */
const statementOf = async (office: Client) => {
  const { id } = await uploaded(office, {
    bytes: 'Posted,Words,Sum,Who\n13/09/2026,lunch,-45.00,MARY',
    source: 'bank',
    mapping: { at: 'Posted', text: 'Words', amount: 'Sum', payer: 'Who' },
  })
  const body = { row: 2, payer: marked('payer'), text: marked('words') }
  await office.call(countIn, { params: { id }, body })
}

/** Orders that are paid, cancelled and due back, paid back, unpaid; a payment left open with the browser's opinion. */
const familyOf = async (parent: Client, item: MenuItem) => {
  await parent.call(updateProfile, {
    body: {
      name: marked('name'),
      email: markedUser.email,
      phone: marked('phone'),
      currentPassword: markedUser.password,
    },
  })
  const child = await parent.call(addStudent, { body: { name: marked('child'), grade: '9' } })
  await payByCard(
    parent,
    [1, 2, 3].map((dayOfWeek) => day(item, child, dayOfWeek)),
    'pay',
  )
  const orders = await parent.call(listOrders)
  const later = (Array.isArray(orders) ? orders : orders.data).filter(({ dayOfWeek }) => dayOfWeek > 1)
  for (const { id } of later) await parent.call(cancelOrder, { params: { id } })
  const { TransToken: transactionId } = await parent.call(createPayment, {
    body: { amount: 35, customerFirstName: marked('first'), cartItems: [day(item, child, 5)] },
  })
  await parent.call(updateAttempt, {
    body: { transactionId, transactionStatus: marked('status'), errorDetails: marked('error') },
  })
  return { child }
}

/** Then the alternative ways to pay, with an order that waits for one, and a refund that is paid back. */
export const markTheRest = async ({ school, office, item }: Awaited<ReturnType<typeof openMarkedSchool>>) => {
  await office.call(savePaymentBypass, { body: { ...ways, currentPassword: superadminPassword } })
  const parent = noting(await school.signIn(markedUser.username, markedUser.password), mark, markedFields)
  const orders = await parent.call(listOrders)
  const list = Array.isArray(orders) ? orders : orders.data
  const { studentId } = list[0]!
  await parent.call(placeOrders, { body: [{ ...day(item, { id: studentId } as Student, 1), weekNumber: 2 }] })
  const { id: orderId } = list.find(({ status }) => status === 'pending')!
  const spilt = { markId: '0199c0de-0000-7000-8000-0000000000c1', orderId, note: marked('spilt') }
  const marks = [{ ...spilt, kind: 'problem' as const, at: '2026-09-14T06:00:00+02:00' }]
  expect((await office.call(sendMarks, { body: { marks } })).results).toMatchObject([{ result: 'kept' }])
  const params = { id: list.find(({ status }) => status === 'cancelled')!.id }
  const body = { amount: 35, method: 'manual' as const, reference: marked('reference'), note: marked('note') }
  // A refund is opened by what follows the events.
  await eventually(() => office.call(completeRefund, { params, body }))
  // After the orders: what they contain is now in conflict.
  await parent.call(saveHealth, {
    params: { id: studentId },
    body: {
      allergies: [marked('allergen')],
      diet: 'none',
      medicalNote: marked('medical'),
      noteConsent: true,
    },
  })
}
