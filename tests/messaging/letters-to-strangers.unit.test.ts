import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Receipt } from '#contracts/books'
import type { UserMessage } from '#kernel/meal-line'
import { receiptLetter } from '#modules/books/receipts/mail-receipt-when-transfer-confirmed.reactor'
import { closedMail, openedMail } from '#modules/closures/carry-out-closure.commands'
import { mergedMail } from '#modules/enrolment/roll/merge-children.commands'
import { newContactMail } from '#modules/identity/accounts/new-contact.commands'
import { changedMail } from '#modules/identity/health/health.routes'
import { lookMail } from '#modules/identity/health/tell-of-conflicts.commands'
import { temporaryPasswordMail } from '#modules/identity/sign-in/password-reset.commands'
import { givenPasswordMessage } from '#modules/identity/users/credentials.decide'
import { htmlOf, messageMail, settingsChangedLetter, type Mail } from '#modules/messaging/letters'
import { cancelledLetter, otherGuardianLetter } from '#modules/ordering/bulk-actions/cancel-orders.commands'
import { substitutedLetter } from '#modules/ordering/bulk-actions/substitute-orders.commands'
import { letterOf } from '#modules/ordering/orders/tell-payer-when-guardian-acts.reactor'
import { reminder } from '#modules/ordering/reminders/reminder.decide'
import { detailsChangedLetter, instructionsLetter } from '#modules/payments/alternative/instructions'
import { checkoutStarted, remainderWaived } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import type { AttemptEvent, StartedAttempt } from '#modules/payments/attempt/payment-attempt'
import { announcement, failedWeek, pausedPlan } from '#modules/payments/plan/plan-letters'
import { failedMail } from '#modules/payments/settlement/payment-letters'
import { blockedMail, closedDayMail, orderedMail } from '#modules/payments/settlement/write-letters.reactor'
import { refundPaidLetter } from '#modules/refunds/tell-family-when-refund-paid.reactor'
import { lapsedLetter, lapseWarning } from '#modules/transfers/unpaid/lapse-unpaid-meals.job'
import { checkout, happened, iso, pastOf, total } from '../payments/attempt-words'
import { fold } from '../support/given-when-then'
import { standIn } from '../support/stand-ins'

/** In every word that a person types: a name, a username, a dish, a reason, a note. */
const typed = 'Wolf.in.Sheep'

const stranger = {
  id: 7,
  name: typed,
  username: typed,
  role: 'parent' as const,
  email: 'stranger@example.org',
  emailVerifiedAt: null,
  phone: null,
  phoneVerifiedAt: null,
  messageChannel: 'mail' as const,
  deletedAt: null,
}
const school = { publicUrl: 'https://lunch.example.com', schoolName: 'Baobab School' }
const needs = { ...school, addressees: { confirmLink: () => 'https://lunch.example.com/confirm' } }

const meal = {
  id: 'order-1',
  mealDate: '2026-09-15',
  student: { name: typed, grade: '4', class: null },
  item: { id: 1, name: typed },
  paymentStatus: 'confirmed' as const,
  price: 4550,
  money: 'K45.50 will be refunded',
}

const plannedWeek = {
  week: '2026-09-21',
  dueAt: '2026-09-20T15:00:00.000Z',
  pay: { by: 'prompt' as const, network: 'airtel' as const },
  lines: [
    {
      menuItemId: 3,
      name: typed,
      category: typed,
      sideDish: typed,
      originalPrice: 4550,
      price: 4550,
      studentId: 118,
      date: '2026-09-21',
      week: 2,
      day: 1,
    },
  ],
  left: [],
  credit: 0,
}
const lines = checkout.lines.map((line) => ({
  ...line,
  student: { ...line.student, name: typed },
  item: { ...line.item, name: typed },
  category: typed,
  sideDish: typed,
  comments: typed,
}))
const started = checkoutStarted({ ...checkout, lines, total, at: iso(0) })
const attempt = (...past: AttemptEvent[]) =>
  fold(paymentAttempt, [started, ...past.filter((event) => event !== happened.started)]) as StartedAttempt
const closure = { id: '01990000-0000-7000-8000-000000000001', remedy: 'credit' as const, by: 5 }
const closedAway = remainderWaived({
  attemptId: checkout.attemptId,
  at: iso(4),
  lines: [{ index: 1, amount: 4550 }],
  surplus: 0,
  reason: typed,
  closure,
})

const receipt: Receipt = standIn({
  number: '2026-000123',
  amount: 45.5,
  surplus: 0,
  references: ['LP-7K3QW9'],
  payer: typed,
  lines: [
    standIn({
      mealDate: '2026-09-15',
      student: typed,
      item: typed,
      category: typed,
      sideDish: typed,
      price: 45.5,
      credit: 0,
    }),
  ],
})

const lapsing = standIn<
  Parameters<typeof lapsedLetter>[0][number] & Parameters<typeof closedMail>[1][number]
>({
  back: { money: 4550, credit: 0 },
  ...meal,
  attemptId: 'attempt',
  credit: 0,
  lapse: new Date('2026-09-15T06:00:00Z'),
})
const order = standIn<Parameters<typeof letterOf>[1]>({
  item: { id: 1, name: typed },
  student: { name: typed, grade: '4' },
  price: 4550,
  credit: 0,
  absenceCredit: 0,
  handedOut: false,
  paymentStatus: 'confirmed',
  back: { money: 4550, credit: 0 },
})
const cancelled = standIn<Parameters<typeof letterOf>[0]>({ type: 'ordering.order-cancelled.v1' })
const closedDays = standIn<Parameters<typeof closedMail>[0]>({
  reason: typed,
  remedy: 'refund',
  grades: [],
  classes: [],
})

/** By the file that writes them. */
const messages: Record<string, (UserMessage | null)[]> = {
  'books/receipts/mail-receipt-when-transfer-confirmed.reactor': [receiptLetter(receipt, school.publicUrl)],
  'closures/carry-out-closure.commands': [
    closedMail(closedDays, [lapsing], false),
    openedMail([lapsing], false),
  ],
  'enrolment/roll/merge-children.commands': [mergedMail(typed, true), mergedMail(typed, false)],
  'identity/users/credentials.decide': [givenPasswordMessage],
  'identity/health/health.routes': [changedMail(typed, 'parent'), changedMail(typed, 'admin')],
  'identity/health/tell-of-conflicts.commands': [
    lookMail([standIn({ date: meal.mealDate, student: typed, item: typed })]),
  ],
  'ordering/bulk-actions/cancel-orders.commands': [
    cancelledLetter([meal], typed, meal.money),
    otherGuardianLetter([meal], { what: 'Changed', start: 'The school has changed meals' }),
  ],
  'ordering/bulk-actions/substitute-orders.commands': [
    substitutedLetter([meal], new Map([[meal.id, typed]]), 'until 08:00 on the day of the meal'),
  ],
  'ordering/orders/tell-payer-when-guardian-acts.reactor': [letterOf(cancelled, order, meal.mealDate)],
  'ordering/reminders/reminder.decide': [reminder(meal.mealDate, 'https://lunch.example.com/stop')],
  'payments/alternative/instructions': [
    detailsChangedLetter(typed),
    instructionsLetter(
      {
        reference: 'LP-7K3QW9',
        amount: total,
        meals: lines,
        limited: { items: [typed], until: '10:00' },
      },
      standIn({
        airtelMoney: { name: '', number: '' },
        mtnMoney: { name: '', number: '' },
        bankTransfer: {},
      }),
    ),
  ],
  'payments/plan/plan-letters': [
    announcement({
      planned: plannedWeek,
      toPay: 4550,
      names: [typed],
      phone: '+260 97• ••• 456',
      askedAt: new Date('2026-09-20T15:00:00Z'),
      zone: 'Africa/Lusaka',
      link: 'https://lunch.school.test/?tab=students',
    }),
    failedWeek('2026-09-21', 'No message reaches you.', 'https://lunch.school.test/?tab=cart'),
    pausedPlan('https://lunch.school.test/?tab=students'),
  ],
  'payments/settlement/payment-letters': [
    failedMail(attempt(...pastOf.declined), 'https://lunch.school.test'),
  ],
  'payments/settlement/write-letters.reactor': [
    orderedMail(attempt(...pastOf.fulfilled), [], 'Africa/Lusaka', null),
    blockedMail(attempt(...pastOf.blocked)),
    closedDayMail(attempt(...pastOf.blocked, closedAway), closure.id),
  ],
  'refunds/tell-family-when-refund-paid.reactor': [
    refundPaidLetter(
      { item: { name: typed }, student: { name: typed, grade: '4' } },
      { amount: 4550, stillOwed: 0, method: 'cash' },
    ),
  ],
  'transfers/unpaid/lapse-unpaid-meals.job': [
    lapseWarning([lapsing], new Map([['attempt', 'LP-7K3QW9']]), 'Africa/Lusaka'),
    lapsedLetter([lapsing]),
  ],
}

const settings = settingsChangedLetter('The support email address was', typed)

const mails: Record<string, Mail[]> = {
  'identity/accounts/new-contact.commands': [
    newContactMail({
      to: stranger.email,
      recipient: stranger,
      what: 'phone number',
      by: 'school',
      ...school,
    }),
  ],
  'identity/sign-in/password-reset.commands': [
    temporaryPasswordMail({ to: stranger.email, recipient: stranger, password: 'x', hours: 24, ...school }),
  ],
}

/** Nobody types what these letters hold, or they go to the school alone. */
const ofNoPerson = [
  'enrolment/claims/claim-tries.commands',
  'enrolment/claims/claim.commands',
  'enrolment/roll/tell-roll-addresses.commands',
  'find/daily-report.decide',
  'find/head-report.decide',
  'identity/accounts/registration.commands',
  'identity/guardians/invites.commands',
  'identity/messages/messages.routes',
]

const modules = join(__dirname, '../../src/modules')

test('every letter is tried here', () => {
  const writing = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('messaging/'))
    .filter((path) =>
      /\bsubject[:,]|\bmeal(Message|Subject)\(/.test(readFileSync(join(modules, path), 'utf8')),
    )
    .map((path) => path.replace(/\.ts$/, ''))
  const tried = [...Object.keys(messages), ...Object.keys(mails), ...ofNoPerson]
  expect(writing.toSorted()).toEqual(tried.toSorted())
})

const all = [
  ['messaging/letters', settings, messageMail(needs, stranger, settings)] as const,
  ...Object.entries(messages).flatMap(([file, ones]) =>
    ones.map((one) => [file, one, messageMail(needs, stranger, one!)] as const),
  ),
  ...Object.entries(mails).flatMap(([file, ones]) => ones.map((one) => [file, null, one] as const)),
]

test.each(all)(
  'a letter of %s says nothing that a person typed to an address that nobody verified',
  (...one) => {
    const [, message, { subject, text }] = one
    for (const words of [subject, text, message?.short ?? '']) expect(words).not.toMatch(/wolf|sheep/i)
  },
)

const signs: [string, string][] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]
const wordsIn = (html: string) => {
  let text = html.replaceAll(/<[^>]*>/g, ' ')
  for (const [coded, sign] of signs) text = text.replaceAll(coded, sign)
  return text.split(/\s+/).filter(Boolean)
}

const verified = { ...stranger, emailVerifiedAt: new Date('2026-09-01T06:00:00Z') }
const toldOf = (message: UserMessage | null, mail: Mail) =>
  message === null ? [mail] : [mail, messageMail(needs, verified, message)]

test.each(all)('a letter of %s says the same words as text and as HTML', (...one) => {
  const [, message, mail] = one
  for (const { text } of toldOf(message, mail)) {
    const html = htmlOf(text, school.schoolName)
    expect(wordsIn(html.replace(`>${school.schoolName}</div>`, '>'))).toEqual(
      text.split(/\s+/).filter((word) => word !== '' && word !== '-'),
    )
  }
})

test.each([
  'books/receipts/mail-receipt-when-transfer-confirmed.reactor',
  'closures/carry-out-closure.commands',
  'identity/health/tell-of-conflicts.commands',
  'ordering/bulk-actions/cancel-orders.commands',
  'ordering/bulk-actions/substitute-orders.commands',
  'ordering/orders/tell-payer-when-guardian-acts.reactor',
  'payments/settlement/payment-letters',
  'payments/settlement/write-letters.reactor',
  'transfers/unpaid/lapse-unpaid-meals.job',
])('a letter of meals of %s names child and day in its subject, to its family alone', (file) => {
  for (const message of messages[file]!) {
    expect(messageMail(needs, verified, message!).subject).toMatch(/ for Wolf\.in\.Sheep, (14|15|16)/)
    expect(messageMail(needs, stranger, message!).subject).toMatch(/, (14|15|16)/)
  }
})
