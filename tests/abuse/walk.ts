import { Secret, TOTP } from 'otpauth'
import sharp from 'sharp'
import {
  acceptGuardianInvite,
  addStaffEntry,
  createParent,
  deleteAnyStudent,
  deleteParent,
  getGuardianInvite,
  removeGuardian,
  saveStaffCode,
  withdrawInvite,
  inviteGuardian,
  updateParent,
} from '#contracts/accounts'
import {
  closeDay,
  closingOf,
  getBooksSettings,
  getReceipt,
  saveBooksSettings,
  statementOfAccount,
  statementOfAccountCsv,
} from '#contracts/books'
import { type MenuItemFields, createMenuItem, deleteMenuItem, updateMenuItem } from '#contracts/catalogue'
import { closeDays, getClosure, previewClosure, undoClosure } from '#contracts/closures'
import { createCycle, deactivateCycle, previewCycle, reactivateCycle } from '#contracts/cycles'
import { applyPromotion, moveStudent, previewPromotion, undoPromotion } from '#contracts/enrolment'
import {
  beginSecondFactor,
  confirmSecondFactor,
  createAdmin,
  deleteStudent,
  endSecondFactor,
  endSession,
  listSessions,
  sendVerification,
  updateProfile,
} from '#contracts/identity'
import { kitchenWeek } from '#contracts/kitchen'
import { confirmPhone, saveMessageSettings, stopReminders, verifyPhone } from '#contracts/messages'
import { cycleOrders } from '#contracts/order-reports'
import {
  getOrderingRules,
  orderForFamily,
  placeOrders,
  saveOrderingRules,
  setAbsence,
} from '#contracts/ordering'
import {
  createPayment,
  getPaymentBypass,
  promptAgain,
  savePaymentBypass,
  verifyPayment,
} from '#contracts/payments'
import { acceptMismatch, liveOrders, setAttemptStatus, waiveRemainder } from '#contracts/payments-console'
import { uploadPicture } from '#contracts/pictures'
import { orderPlanWeek, pausePlanOfFamily, pausePlan, savePlan, skipPlanDay } from '#contracts/plan'
import {
  applyRoll,
  claimStudents,
  leavingChildren,
  previewedRows,
  previewLetters,
  previewRoll,
  undoRoll,
} from '#contracts/roll-import'
import { takeMarksBack } from '#contracts/serving'
import {
  countIn,
  ignoreStatementRow,
  leftOutOfStatement,
  listStatements,
  statementRows,
  unignoreStatementRow,
} from '#contracts/transfers'
import { listMails } from '../../src/adapters/mail'
import type { Client } from '../../src/app/demo/client'
import { guardiansOf } from '../app/guardians'
import { followCardRefunds, payByCardInEveryWay, refundToCards } from '../golden/card-days'
import { changeOrders, payInOtherWays, spendCredit } from '../golden/office-days'
import { type Stage, openStage } from '../golden/stage'
import type { Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { superadminPassword } from '../support/school'
import { uploaded } from '../support/upload-statement'

/** Guardians, a picture, and what the office does to families, children and meals of its own. */
const walkFamilies = async (canteen: Canteen): Promise<void> => {
  const office = canteen.superadminClient
  const { firstGuardian, invited, person } = guardiansOf(canteen)
  const { first, big } = await firstGuardian('first.guardian')
  const second = await person('second.guardian')
  const params = { idOrCode: await invited(first.client, big, second.email) }
  await second.client.call(getGuardianInvite, { params })
  await second.client.call(acceptGuardianInvite, { params })
  await office.call(removeGuardian, { params: { id: big.id, userId: second.userId } })
  const body = { email: 'third@example.org' }
  const { id: inviteId } = await first.client.call(inviteGuardian, { params: { id: big.id }, body })
  await office.call(withdrawInvite, { params: { id: big.id, inviteId } })
  await office.call(saveStaffCode, { body: { staffCode: 'a staff code' } })
  await first.client.call(addStaffEntry, { body: { code: 'a staff code' } })
  await office.call(deleteAnyStudent, { params: { id: big.id } })
  const account = { username: 'short.lived', name: 'Short', password: 'parent-password' }
  const { id } = await office.call(createParent, { body: { ...account, email: '', phone: '' } })
  await office.call(deleteParent, { params: { id } })
  const { id: dish } = await office.call(createMenuItem, { body: canteen.items.stew })
  await office.call(deleteMenuItem, { params: { id: dish } })
  const white = { width: 1200, height: 800, channels: 3, background: 'white' } as const
  const picture = await sharp({ create: white }).jpeg().toBuffer()
  const sent = await sendFile(office, uploadPicture.path, new File([new Uint8Array(picture)], 'a.jpg'))
  await office.fetch(uploadPicture.reply.parse(sent).imageUrl)
}

const sendFile = async (client: Client, path: string, file: File): Promise<unknown> => {
  const form = new FormData()
  form.set('file', file)
  return (await client.fetch(path, { method: 'POST', body: form })).json()
}

const list = (...names: string[]) =>
  new File(
    [['Student,Grade,Admission Number', ...names.map((name) => `${name},3,F-${name}`)].join('\n')],
    'list.csv',
  )

/** A list of the school that is imported, claimed from and undone, and the year move with its way back. */
const walkRoll = async (canteen: Canteen): Promise<void> => {
  const office = canteen.superadminClient
  const { parent } = await canteen.payingFamily('claiming')
  const imported = async (...names: string[]) => {
    const { id } = previewRoll.reply.parse(await sendFile(office, previewRoll.path, list(...names)))
    await office.call(previewedRows, { params: { id } })
    await office.call(leavingChildren, { params: { id } })
    await office.call(previewLetters, { params: { id }, body: { remove: false } })
    return { id, ...(await office.call(applyRoll, { params: { id }, body: { remove: false } })) }
  }
  const { codes } = await imported('Bupe')
  await parent.call(claimStudents, { body: { code: codes[0]!.code } })
  const { id } = await imported('Bupe', 'Chola')
  await office.call(undoRoll, { params: { id } })
  const move = await office.call(previewPromotion, { body: { rename: false } })
  await office.call(applyPromotion, { params: { id: move.id } })
  await office.call(undoPromotion, { params: { id: move.id } })
}

/** A phone that is verified, a reminder whose link stops it, a receipt and a statement of account. */
const walkMessages = async (canteen: Canteen, { family, line, stew, pay, ordersOf, sweep }: Stage) => {
  const body = { sms: true, dailyCeiling: 1_000, orderWithPhone: false, reminders: true }
  await canteen.superadminClient.call(saveMessageSettings, { body })
  const told = await family('told')
  const { parent, userId } = told
  await parent.call(verifyPhone)
  const [, code] = await written(canteen, /^(\d{6}) is your code/m)
  await parent.call(confirmPhone, { body: { code: code! } })
  await sweep('remind-to-order')
  const [, token] = await written(canteen, /\/stop\/(\S+)/)
  await canteen.visitor().call(stopReminders, { body: { token: token! } })
  await pay(told, [line(told, stew, 3, 4)])
  const number = await eventually(async () => (await ordersOf(told))[0]?.receiptNumber ?? false)
  await parent.call(getReceipt, { params: { number } })
  const range = { from: '2026-09-14', to: '2026-09-18' }
  await parent.call(statementOfAccount, { query: range })
  const asked = new URLSearchParams({ ...range, parentId: String(userId) })
  await canteen.superadminClient.fetch(`${statementOfAccountCsv.path}?${asked}`)
}

/** The first mail or SMS with such words. */
const written = ({ dataDir }: Canteen, words: RegExp) =>
  eventually(async () => {
    const texts = (await listMails(dataDir)).map(({ text }) => words.exec(text))
    return texts.find((found) => found !== null) ?? false
  })

/** Money that comes in and goes back in every way, a closed day, and the books of the day before. */
const walkBooks = async (canteen: Canteen): Promise<void> => {
  const office = canteen.superadminClient
  const { version: _version, ...books } = await office.call(getBooksSettings)
  const before = canteen.now()
  canteen.setClock('2026-09-16T10:00:00+02:00')
  const stage = await openStage(canteen, superadminPassword)
  await payByCardInEveryWay(stage)
  await refundToCards(stage)
  await payInOtherWays(stage)
  await spendCredit(stage)
  await changeOrders(stage)
  await office.call(saveBooksSettings, { body: { ...books, currentPassword: superadminPassword } })
  await stage.otherWays({ enabled: false, beside: false })
  canteen.setClock('2026-09-17T17:30:00+02:00')
  await walkMessages(canteen, stage)
  canteen.setClock('2026-09-18T10:30:00+02:00')
  await stage.sweep()
  await followCardRefunds(stage)
  const { data: statements } = await office.call(listStatements, { query: {} })
  const { data: rows } = await office.call(statementRows, { params: { id: statements[0]!.id } })
  const ignored = { params: { id: rows.find(({ state }) => state === 'ignored')!.id } }
  await office.call(leftOutOfStatement, { params: { id: statements[0]!.id }, query: {} })
  await office.call(unignoreStatementRow, ignored)
  await office.call(ignoreStatementRow, ignored)
  const params = { id: canteen.cycle.id }
  await office.call(previewClosure, { params, body: { dates: ['2026-10-09'] } })
  const body = { dates: ['2026-10-09'], reason: 'A strike', remedy: 'refund' as const }
  const closure = await office.call(closeDays, { params, body })
  await office.call(getClosure, { params: { id: closure.id } })
  await office.call(undoClosure, { params: { id: closure.id } })
  canteen.setClock(before)
  await office.call(kitchenWeek, { params: { week: 1 } })
  await office.call(cycleOrders, { query: {} })
  const date = '2026-09-13'
  await office.call(closeDay, { body: { date } })
  await office.call(closingOf, { params: { date } })
}

const password = 'parent-password'

const soup: MenuItemFields = {
  name: 'Soup',
  price: '20',
  type: 'secondary',
  categories: ['beef'],
  sideDishes: [],
  weekNumbers: [1],
  daysOfWeek: [1],
  allergens: [],
  proteinDescriptions: {},
  isAvailable: true,
  imageUrl: null,
  description: null,
}

/**
 * Goes through the routes that chance does not find, with people and things of its own, so that a round of the fuzz
 * reaches the act behind every route. Answers the names of all that the service has let through so far.
 */
export const firstWalk = async (canteen: Canteen): Promise<string[]> => {
  await walkAccounts(canteen)
  await walkOffice(canteen)
  await walkPayments(canteen)
  await walkCounter(canteen)
  await walkPlans(canteen)
  await walkFamilies(canteen)
  await walkRoll(canteen)
  await walkBooks(canteen)
  const [mail] = await eventually(async () => {
    const mails = await listMails(canteen.dataDir)
    return mails.length > 0 && mails
  })
  for (const part of ['', '/html']) await canteen.visitor().fetch(`/dev/mail/${mail!.name}${part}`)
  return letThrough(await (await canteen.visitor().fetch('/metrics')).text())
}

const letThrough = (metrics: string): string[] =>
  [...metrics.matchAll(/duration_seconds_count\{method="(\w+)",route="([^"]+)",status="[23]\d\d"\}/g)].map(
    ([, method, route]) => `${method} ${route}`,
  )

const walkAccounts = async (canteen: Canteen) => {
  await canteen.superadminClient.call(createAdmin, {
    body: { username: 'walker', password, allowedFeatures: [] },
  })
  const walker = await canteen.signIn('walker', password)
  await canteen.signIn('walker', password)
  const other = (await walker.call(listSessions)).find(({ current }) => !current)
  await walker.call(endSession, { params: { id: other!.id } })
  const { secret } = await walker.call(beginSecondFactor, { body: { currentPassword: password } })
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: canteen.now().getTime() })
  await walker.call(confirmSecondFactor, { body: { code: code() } })
  // A code opens once.
  canteen.setClock(new Date(canteen.now().getTime() + 30_000))
  await walker.call(endSecondFactor, { body: { currentPassword: password, code: code() } })
}

const walkOffice = async ({ superadminClient: office, cycle, family }: Canteen) => {
  const { parent, children, userId } = await family('walking', '9')
  await parent.call(deleteStudent, { params: { id: children[0]!.id } })
  const body = { name: 'Walking', username: 'walking', email: 'walking@example.org' }
  await office.call(updateParent, { params: { id: userId }, body })
  await parent.call(sendVerification)
  await parent.call(updateProfile, { body: { ...body, phone: '' } })
  const { id } = await office.call(createMenuItem, { body: soup })
  await office.call(updateMenuItem, { params: { id }, body: { ...soup, price: '21' } })
  await office.call(deactivateCycle, { params: { id: cycle.id } })
  const plan = { startDate: '2026-11-09', cycleLength: 4 as const, blockedDays: [] }
  await office.call(previewCycle, { body: plan })
  const { id: later } = await office.call(createCycle, { body: plan })
  await office.call(deactivateCycle, { params: { id: later } })
  await office.call(reactivateCycle, { params: { id: cycle.id } })
  await office.call(savePaymentBypass, { body: await office.call(getPaymentBypass) })
}

/** Two payments that came in with too little, one to be accepted and one to be given up, and one that nobody makes. */
const walkPayments = async (canteen: Canteen) => {
  const office = canteen.superadminClient
  const { parent, children } = await canteen.payingFamily('payer', '9', '2')
  const [big, small] = children
  const { orders } = await parent.call(placeOrders, { body: [canteen.porridgeFor(small!, 1)] })
  const before = canteen.now()
  canteen.setClock('2026-09-14T09:00:00+02:00')
  await parent.call(setAbsence, { params: { id: orders[0]!.id }, body: { absent: true } })
  canteen.setClock(before)
  const begin = async (day: number) => {
    const body = { amount: 45.5, cartItems: [canteen.stewFor(big!, day)] }
    return (await parent.call(createPayment, { body })).TransToken
  }
  const tokens = [await begin(2), await begin(3)]
  for (const token of tokens) await payTooLittle(canteen, token)
  canteen.setClock(new Date(canteen.now().getTime() + 180_000))
  const ids = []
  for (const transactionId of tokens) {
    await parent.call(verifyPayment, { params: { transactionId } })
    ids.push((await office.call(liveOrders, { query: { transactionId } })).data[0]!.id)
  }
  const body = { reason: 'A bank fee' }
  await office.call(acceptMismatch, { params: { id: ids[0]! }, body })
  await office.call(waiveRemainder, { params: { id: ids[1]! }, body })
  const transactionId = await begin(4)
  await parent.call(verifyPayment, { params: { transactionId } })
  await office.call(setAttemptStatus, { params: { transactionId }, body: { status: 'Payment Abandoned' } })
}

/** A prompt that is sent again, an order at the counter, a child that moves, a row of a statement that is counted in. */
const walkCounter = async (canteen: Canteen) => {
  const office = canteen.superadminClient
  const { parent, children, userId } = await canteen.payingFamily('counter', '9', '10')
  const child = children[0]!
  const { version: _version, ...ways } = await office.call(getPaymentBypass)
  const save = (body: typeof ways) =>
    office.call(savePaymentBypass, { body: { ...body, currentPassword: superadminPassword } })
  const airtelMoney = { name: 'School', number: '0977000111' }
  await save({ ...ways, enabled: false, beside: true, prompt: true, airtelMoney })
  const cart = { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] }
  const byPhone = { paymentMethod: 'airtel' as const, customerPhone: '0977123456' }
  const { TransToken: id } = await parent.call(createPayment, { body: { ...cart, ...byPhone } })
  canteen.setClock(new Date(canteen.now().getTime() + 180_000))
  await parent.call(promptAgain, { params: { id }, body: {} })
  await save(ways)
  await office.call(orderForFamily, {
    params: { parentId: userId },
    body: { cartItems: [canteen.stewFor(child, 3)], payBy: 'cash', received: true },
  })
  const { userId: parentId } = await canteen.family('mover', '9')
  await office.call(moveStudent, { params: { id: children[1]!.id }, body: { parentId } })
  const statement = await uploaded(office, {
    bytes: 'Posted,Words,Sum,Who\n13/09/2026,lunch,-45.00,MARY',
    source: 'bank',
    mapping: { at: 'Posted', text: 'Words', amount: 'Sum', payer: 'Who' },
  })
  await office.call(countIn, { params: { id: statement.id }, body: { row: 2 } })
}

const payTooLittle = async (canteen: Canteen, token: string) => {
  await canteen.visitor().fetch(`/sandbox/pay/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'outcome=slow&card=4111111111111111',
  })
  await canteen.infrastructure.database.pool.query(
    `update payments.sandbox_transactions set state = jsonb_set(state, '{tag}', '"UNDER"') where token = $1`,
    [token],
  )
}

/** A plan by credit with all that is done with it, and marks of the hatch that are taken back. */
const walkPlans = async (canteen: Canteen) => {
  const office = canteen.superadminClient
  const { version: _version, ...rules } = await office.call(getOrderingRules)
  await office.call(saveOrderingRules, { body: { ...rules, plans: true } })
  const { parent, children, userId } = await canteen.payingFamily('planning', '9')
  const studentId = children[0]!.id
  const dishes = [{ menuItemId: canteen.items.stew.id, category: 'beef', sideDish: null, price: 45.5 }]
  const at = { day: 0, hour: 17, minute: 0 }
  const days = [{ day: 1, dishes }]
  await parent.call(savePlan, {
    body: { children: [{ studentId, days }], at, pay: { by: 'credit' }, weekLimit: null },
  })
  await parent.call(skipPlanDay, { body: { studentId, date: '2026-09-28', skip: true } })
  for (const paused of [true, false]) await parent.call(pausePlan, { body: { paused } })
  await parent.call(orderPlanWeek, { body: { week: '2026-09-21' } })
  await office.call(pausePlanOfFamily, { params: { id: userId }, body: { paused: true } })
  await office.call(saveOrderingRules, { body: rules })
  await office.call(takeMarksBack, { body: { date: '2026-09-14', by: 'superadmin' } })
}
