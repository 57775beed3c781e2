import { createMenuItem, setAvailability, type MenuItem } from '#contracts/catalogue'
import { closeDays } from '#contracts/closures'
import { createCycle, listCycles } from '#contracts/cycles'
import { saveHealth, type Health } from '#contracts/health'
import {
  addStudent,
  convertToTeacher,
  createAdmin,
  currentUser,
  saveCommunication,
  type FeatureName,
  listStudents,
  updateStudent,
} from '#contracts/identity'
import { kitchenWeek, setOrderStatus } from '#contracts/kitchen'
import { createDiscountCode } from '#contracts/order-reports'
import { saveOrderingRules } from '#contracts/ordering'
import { savePrivacySettings } from '#contracts/privacy'
import { addDays, instantAt, mondayOf, schoolMoment, type SchoolDate } from '#kernel/school-time'
import { type Client, confirmAddresses, type ReadMails, registerParent, staySignedIn } from './client'
import { closeLastMonth } from './closed-month'
import { largeSteps, livePastCycle, orderForHouses, usualHouses } from './large-school'
import {
  changeMinds,
  handOut,
  payBackOne,
  orderAtCounter,
  payOtherwise,
  untilServed,
  daysOf,
  firstKitchenDay,
  cartForEverybody,
  orderForEverybody,
  payByCard,
  type SchoolDay,
  type Outcome,
} from './ordering'
import { livePayingFamilies, payingSteps, usualFamilies } from './paying-families'
import { planWeeks } from './plans'
import { uploadDishPicture, demoMenu, demoFamilies } from './sample-data'

export type SignInLine = { who: string; username: string; password: string }

export const demoSignIns = {
  superadmin: { who: 'superadmin (everything)', username: 'superadmin', password: 'tuckshop-superadmin' },
  kitchen: {
    who: 'administrator (menu, kitchen, cycles)',
    username: 'kitchen',
    password: 'tuckshop-kitchen',
  },
  parent: { who: 'parent who pays', username: demoFamilies[0]!.username, password: 'tuckshop-parent' },
  sponsored: {
    who: 'parent whose meals are free',
    username: demoFamilies[1]!.username,
    password: 'tuckshop-parent',
  },
  teacher: { who: 'teacher', username: 'teacher.mwape', password: 'tuckshop-teacher' },
} satisfies Record<string, SignInLine>

const kitchenFeatures: FeatureName[] = ['menu', 'kitchen', 'cycles']
const everyDay = [1, 2, 3, 4, 5]

export type DemoStage = {
  baseUrl: string
  zone: string
  /** Large: a past cycle of 8,000 orders, a kitchen day of more than 2,000, and 60 families that have not paid. */
  size: 'small' | 'large'
  houses?: number
  payingFamilies?: number
  opening: Date
  /** Moves the service's clock for past orders. */
  setClock: (at: Date) => void
  onProgress: (done: number, total: number, what: string) => void
  /** Newest first; null where mails leave through a server: the addresses then stay unconfirmed. */
  mails: ReadMails | null
}

const smallSteps = demoMenu.length + demoFamilies.length * 2 + 14

/** Fills an empty school through API calls and leaves the clock at `opening`. */
export const fillDemoSchool = async (stage: DemoStage): Promise<void> => {
  const monday = mondayOf(schoolMoment(stage.opening, stage.zone).date)
  const at = (date: SchoolDate, hour: number, minute = 0) =>
    stage.setClock(instantAt(date, hour, minute, stage.zone))
  let done = 0
  const { houses = usualHouses, payingFamilies = usualFamilies } = stage
  const steps = smallSteps + (stage.size === 'large' ? largeSteps(houses) + payingSteps(payingFamilies) : 0)
  const step = (what: string) => stage.onProgress((done += 1), steps, what)

  const lastDay = addDays(`${addDays(monday, -4).slice(0, 8)}01`, -1)
  at(lastDay, 9)
  const { superadmin, parent } = demoSignIns
  const signIn = () => staySignedIn(stage.baseUrl, superadmin.username, superadmin.password)
  await closeLastMonth(await signIn(), { baseUrl: stage.baseUrl, lastDay, at }, parent.password)
  at(addDays(monday, -4), 9)
  const office = await settleOffice(await signIn())
  step('office')
  step('closed month')
  await writeMenu(office, step)
  if (stage.size === 'large') await livePastCycle({ ...stage, houses, monday, step })
  at(addDays(monday, -4), 9)
  await openCycle(office, monday)
  step('cycle')

  at(addDays(monday, -3), 7, 30)
  const families = await welcomeFamilies(stage.baseUrl, office, step)
  const teacher = await welcomeTeacher(stage.baseUrl, office)
  step('teacher')
  await confirmAddresses(stage.mails, [...families, teacher])
  step('addresses')

  const kitchenDay = firstKitchenDay(stage.opening, stage.zone)
  await placeFamilyOrders(families, teacher, { monday, at, kitchenDay }, step)
  if (stage.size === 'large') {
    await orderForHouses({ ...stage, houses, step }, kitchenDay)
    const passwords = { parentPassword: parent.password, officePassword: superadmin.password }
    const about = { families: payingFamilies, ...passwords, signIn }
    await livePayingFamilies({ ...stage, ...about, monday, at, step })
  }
  await cookPastDays(stage, monday, step)
  stage.setClock(stage.opening)
  const openOffice = await signIn()
  await changeMinds(openOffice, families)
  step('cancellations')
  await payOtherwise(openOffice, demoSignIns.superadmin.password, families)
  await orderAtCounter(openOffice, families[7]!)
  step('alternative payments')
  await payBackOne(openOffice)
  await closeForClass(openOffice, families.at(-1)!, addDays(monday, 23))
  step('refunds')
  const plans = { byPrompt: families[14]!, byCredit: families[17]! }
  await planWeeks(openOffice, plans, { week: addDays(monday, 21), weekNumber: 4, mails: stage.mails })
  step('plans')
}

const openCycle = (office: Client, startDate: SchoolDate) =>
  office.call(createCycle, {
    body: {
      startDate,
      cycleLength: 4,
      blockedDays: [
        { week: 2, day: 5 },
        { week: 3, day: 1 },
      ],
    },
  })

const settleOffice = async (office: Client): Promise<Client> => {
  await office.call(createAdmin, { body: { ...demoSignIns.kitchen, allowedFeatures: kitchenFeatures } })
  await office.call(saveCommunication, {
    body: { supportEmail: 'tuckshop@example.com', whatsappNumber: '260971000000' },
  })
  await office.call(savePrivacySettings, {
    body: { dataProtectionOfficer: 'Mrs Ruth Tembo, privacy@example.com' },
  })
  await office.call(saveOrderingRules, {
    body: {
      cancelUntil: 'cutoff',
      lateRemedy: 'credit',
      absence: 'credit',
      absencePercent: 100,
      lowPortions: 10,
      plans: true,
    },
  })
  return office
}

const closeForClass = async (office: Client, family: Client, date: SchoolDate) => {
  const [child] = await family.call(listStudents)
  if (!child || child.grade === 'teacher') return
  const inClass = `${child.grade}A`
  const body = { name: child.name, grade: child.grade, class: inClass }
  await office.call(updateStudent, { params: { id: child.id }, body })
  const active = (await office.call(listCycles)).find(({ isActive }) => isActive)
  await office.call(closeDays, {
    params: { id: active!.id },
    body: {
      dates: [date],
      reason: `Class ${inClass} visits the museum`,
      remedy: 'credit',
      classes: [inClass],
    },
  })
}

const writeMenu = async (office: Client, step: (what: string) => void) => {
  const items: MenuItem[] = []
  for (const fields of demoMenu) {
    const imageUrl = await uploadDishPicture(office, fields.name)
    items.push(await office.call(createMenuItem, { body: { ...fields, imageUrl } }))
    step('menu')
  }
  const soldOut = items.find(({ name }) => name === 'Stir-Fry Noodles')
  if (soldOut)
    await office.call(setAvailability, { params: { id: soldOut.id }, body: { isAvailable: false } })
}

/** 100 percent codes for sponsored families; the first and every third pay. */
const sponsored = (index: number) => index > 0 && index % 3 !== 2

const sponsorsOfOneChild = ['Rotary Club of Lusaka', 'Lions Club', 'Rotary Club of Lusaka']

const needsOfFirstFamily: Pick<Health, 'allergies' | 'diet'>[] = [
  { allergies: ['Peanuts'], diet: 'none' },
  { allergies: [], diet: 'halal' },
]

const welcomeFamilies = async (baseUrl: string, office: Client, step: (what: string) => void) => {
  const clients: Client[] = []
  const sponsorsLeft = [...sponsorsOfOneChild]
  for (const [index, family] of demoFamilies.entries()) {
    const { username, name, email, phone } = family
    const client = await registerParent(baseUrl, {
      username,
      name,
      email,
      phone,
      password: demoSignIns.parent.password,
    })
    let userId = 0
    let studentId = 0
    for (const child of family.children) {
      const { id, parent_id } = await client.call(addStudent, { body: child })
      userId = parent_id
      studentId = id
      const needs = index === 0 ? needsOfFirstFamily[family.children.indexOf(child)] : undefined
      if (needs)
        await client.call(saveHealth, {
          params: { id },
          body: { ...needs, medicalNote: '', noteConsent: false },
        })
    }
    if (sponsored(index)) {
      const sponsor = index > 1 && family.children.length === 1 ? sponsorsLeft.shift() : undefined
      const ofChild = sponsor === undefined ? {} : { studentId, sponsor }
      const body = { code: `BURSARY-${index + 1}`, userId, discountPercentage: 100, isActive: true }
      await office.call(createDiscountCode, { body: { ...body, ...ofChild } })
    }
    clients.push(client)
    step('families')
  }
  return clients
}

const welcomeTeacher = async (baseUrl: string, office: Client) => {
  const { username, password } = demoSignIns.teacher
  const account = {
    username,
    password,
    name: 'Misozi Mwape',
    email: 'misozi.mwape@example.com',
    phone: '+260 96 5550123',
  }
  await (await registerParent(baseUrl, account)).call(convertToTeacher)
  const client = await staySignedIn(baseUrl, username, password)
  const { id } = await client.call(currentUser)
  await office.call(createDiscountCode, {
    body: { code: 'STAFF-1', userId: id, discountPercentage: 100, isActive: true },
  })
  return client
}

type Calendar = {
  monday: SchoolDate
  at: (date: SchoolDate, hour: number, minute?: number) => void
  kitchenDay: SchoolDay
}

const placeFamilyOrders = async (
  families: Client[],
  teacher: Client,
  { monday, at, kitchenDay }: Calendar,
  step: (what: string) => void,
) => {
  for (const [index, client] of families.entries()) {
    at(addDays(monday, -3 + (index % 3)), 8 + (index % 11), (index * 7) % 60)
    const taste = { seed: index, days: daysOf(index, kitchenDay.week) }
    if (sponsored(index)) await orderForEverybody(client, taste)
    else await payByCard(client, await cartForEverybody(client, taste), outcomes[index] ?? 'pay')
    if (outcomes[index] === 'close') await untilServed(client)
    step('orders')
  }
  at(addDays(monday, -1), 19)
  const days = [1, 2].flatMap((week) =>
    week <= kitchenDay.week ? everyDay.map((day) => ({ week, day })) : [],
  )
  await orderForEverybody(teacher, { seed: 4, days })
}

const outcomes: Partial<Record<number, Outcome>> = { 8: 'decline', 17: 'cancel', 20: 'close' }

const cookPastDays = async (
  { baseUrl, zone, opening, setClock }: DemoStage,
  monday: SchoolDate,
  step: (what: string) => void,
) => {
  for (const day of everyDay) {
    const date = addDays(monday, day - 1)
    const lunch = instantAt(date, 13, 0, zone)
    if (lunch < opening) {
      setClock(lunch)
      const kitchen = await staySignedIn(baseUrl, demoSignIns.kitchen.username, demoSignIns.kitchen.password)
      const { totals } = await kitchen.call(kitchenWeek, { params: { week: 1 } })
      const orderIds = totals
        .filter(({ dayOfWeek }) => dayOfWeek === day)
        .flatMap((total) => total.pendingOrderIds)
      if (orderIds.length > 0) await kitchen.call(setOrderStatus, { body: { orderIds, status: 'completed' } })
      await handOut(kitchen, date, instantAt(date, 12, 5, zone))
    }
    step('kitchen')
  }
}
