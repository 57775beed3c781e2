import { randomUUID } from 'node:crypto'
import { addStudent } from '#contracts/identity'
import { placeOrders, type CartLine } from '#contracts/ordering'
import { createPayment, recordAttempt, verifyPayment } from '#contracts/payments'
import { confirmStatement, uploadStatement, type StatementMapping } from '#contracts/transfers'
import { addDays, type SchoolDate } from '#kernel/school-time'
import { type Client, registerParent, several } from './client'
import { amountOf, cartForEverybody, openEveryWay, payByCard } from './ordering'
import { childOf, gradeOf, personOf } from './sample-data'

export const usualFamilies = 60

export const payingSteps = (families: number) => families * 3 + 2

type Stage = {
  baseUrl: string
  families: number
  parentPassword: string
  officePassword: string
  signIn: () => Promise<Client>
  monday: SchoolDate
  at: (date: SchoolDate, hour: number) => void
  step: (what: string) => void
}

type Family = { client: Client; index: number; name: string; surname: string; phone: string }

type Due = Family & { reference: string; amount: number }

const days = [1, 2, 3, 4, 5]

/** A first week that was paid by card, by phone or at the bank; a second one that was not, with two statements that wait for the office. */
export const livePayingFamilies = async (stage: Stage): Promise<void> => {
  const { monday, at, step, signIn } = stage
  at(addDays(monday, -2), 16)
  await openEveryWay(await signIn(), stage.officePassword)
  const families: Family[] = []
  const dues: Due[] = []
  await several(stage.families, async (index) => {
    const family = await welcome(stage, index)
    families.push(family)
    step('families that pay')
    dues.push(...(await payFirstWeek(family)))
    step('their first week')
  })
  at(addDays(monday, -1), 9)
  const office = await signIn()
  const paid = await upload(office, bankStatement(addDays(monday, -2), dues, byReference))
  await office.call(confirmStatement, {
    params: { id: paid.id },
    body: { allExact: true },
    headers: { 'idempotency-key': randomUUID() },
  })
  step('a bank statement')
  await openEveryWay(office, stage.officePassword, false)
  at(addDays(monday, -1), 15)
  const open: Due[] = []
  await several(families.length, async (place) => {
    const family = families[place]!
    open.push(...(await transfer(family, 2, isAtTheBank(family) ? 'bank' : 'airtel')))
    step('their second week')
  })
  at(addDays(monday, -1), 18)
  await uploadSecondWeek(await signIn(), addDays(monday, -1), open)
  step('statements to match')
}

/** Every fourth family has sent nothing. */
const uploadSecondWeek = async (office: Client, date: SchoolDate, open: Due[]) => {
  const sent = open.filter(({ index }) => index % 4 !== 3)
  await upload(office, bankStatement(date, sent.filter(isAtTheBank), byReferenceOrChild))
  const byPhone = sent.filter((due) => !isAtTheBank(due))
  await upload(office, airtelStatement(date, byPhone))
}

const isAtTheBank = ({ index }: Family) => index % 3 === 2

const welcome = async ({ baseUrl, parentPassword: password }: Stage, index: number): Promise<Family> => {
  const { name, surname, username } = personOf(index)
  const phone = `+260 97 ${2_000_000 + index * 10_007}`
  const email = `${username}@example.com`
  const client = await registerParent(baseUrl, { username, name, email, phone, password })
  for (let place = 0; place <= index % 3; place += 1) {
    const child = { name: childOf(surname, index + place * 5), grade: gradeOf(index + place * 4) }
    await client.call(addStudent, { body: child })
  }
  return { client, index, name, surname, phone }
}

const cartOf = ({ client, index }: Family, week: number) =>
  cartForEverybody(client, { seed: index, days: days.map((day) => ({ week, day })) })

const payFirstWeek = async (family: Family): Promise<Due[]> => {
  if (isAtTheBank(family)) return transfer(family, 1, 'bank')
  const lines = await cartOf(family, 1)
  if (family.index % 3 === 0) await payByCard(family.client, lines, 'pay')
  else await payByPhone(family, lines)
  return []
}

const transfer = async (family: Family, week: number, payBy: 'airtel' | 'bank'): Promise<Due[]> => {
  const { payment } = await family.client.call(placeOrders, {
    body: { cartItems: await cartOf(family, week), payBy },
    headers: { 'idempotency-key': randomUUID() },
  })
  return payment ? [{ ...family, reference: payment.reference, amount: payment.amount }] : []
}

const payByPhone = async ({ client, phone }: Family, cartItems: CartLine[]): Promise<void> => {
  const { TransToken } = await client.call(createPayment, {
    body: { amount: amountOf(cartItems), cartItems, paymentMethod: 'airtel', customerPhone: phone },
    headers: { 'idempotency-key': randomUUID() },
  })
  await client.call(recordAttempt, { body: { transactionId: TransToken } })
  const form = new URLSearchParams({ choice: 'approve', prompt: `${TransToken}.1` })
  await client.fetch(`/sandbox/phone/${encodeURIComponent(phone)}`, { method: 'POST', body: form })
  await client.call(verifyPayment, { params: { transactionId: TransToken } })
}

type Statement = { source: string; name: string; lines: string[]; mapping?: StatementMapping }

const dayFirst = (date: SchoolDate) => date.split('-').toReversed().join('/')

const byReference = ({ reference }: Due) => `lunch ${reference}`
const byReferenceOrChild = (due: Due) =>
  due.index % 4 === 1 ? `lunch ${childOf(due.surname, due.index)}` : byReference(due)

const bankStatement = (date: SchoolDate, dues: Due[], wordsOf: (due: Due) => string): Statement => ({
  source: 'bank',
  name: `zanaco-${date}.csv`,
  lines: [
    'Value Date,Description,Payer,Debit,Credit,Bank Reference',
    ...dues.map((due) =>
      [dayFirst(date), wordsOf(due), due.name, '', due.amount.toFixed(2), `ZN${date}-${due.index}`].join(','),
    ),
    `${dayFirst(date)},Bank charges,,55.00,,ZN${date}-CHARGE`,
  ],
  mapping: {
    at: 'Value Date',
    in: 'Credit',
    out: 'Debit',
    payer: 'Payer',
    text: 'Description',
    transactionId: 'Bank Reference',
  },
})

const airtelStatement = (date: SchoolDate, dues: Due[]): Statement => ({
  source: 'airtel',
  name: `airtel-${date}.csv`,
  lines: [
    'Transaction ID,Transaction Date,Sender MSISDN,Sender Name,Transaction Amount,Reference,Transaction Status',
    ...dues.map((due) =>
      [
        `MP${date}.${due.index}`,
        `${dayFirst(date)} 17:${String(due.index % 60).padStart(2, '0')}:00`,
        due.phone.replaceAll(/\D/g, ''),
        due.name,
        due.amount.toFixed(2),
        byReferenceOrChild(due),
        'Transaction Success',
      ].join(','),
    ),
    `MP${date}.RENT,${dayFirst(date)} 11:20:00,260977999888,Chanda Hardware,1500.00,Rent of the hall,Transaction Success`,
  ],
})

const upload = async (office: Client, { source, name, lines, mapping }: Statement) => {
  const form = new FormData()
  form.set('file', new Blob([lines.join('\r\n')], { type: 'text/csv' }), name)
  form.set('source', source)
  if (mapping) form.set('mapping', JSON.stringify(mapping))
  const answer = await office.fetch(uploadStatement.path, { method: uploadStatement.method, body: form })
  if (!answer.ok) throw new Error(`The statement ${name} was not taken: ${await answer.text()}`)
  return uploadStatement.reply.parse(await answer.json())
}
