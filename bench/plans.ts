import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'
import { createMenuItem, type MenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import {
  confirmPhone,
  getMessageSettings,
  getUserMessages,
  saveMessageSettings,
  saveUserMessages,
  verifyPhone,
} from '#contracts/messages'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { savePlan } from '#contracts/plan'
import { registerParent, signIn, type Client } from '../src/app/demo/client'
import { demoMenu } from '../src/app/demo/sample-data'
import { smsGateway, type TakenSms } from '../tests/support/sms-gateway'
import { startProgram, superadminPassword, type Program } from './program'
import type { Line } from './report'
import { monday } from './school'

const setUpAt = '2026-11-14T09:00:00+02:00'
const sunday = (time: string) => Date.parse(`2026-11-15T${time}:00+02:00`)
/** Five seconds of the school's time pass in one: the sweeps come every 25 of them. */
const beforeHour = '2026-11-15T16:48:00+02:00 x5'
const hour = sunday('17:00')
const minuteMs = 60_000

/** For a week's messages; a tenth is kept for passwords. */
const smsADay = 300
/** On the day before. */
const smsOfCodes = 2_000
const lastAskedWithin = 20
const patienceMs = 420_000

/** Plans of one hour: when the first and the last family is asked, and how many prompts and SMS go out in a minute. */
export const planLines = async (dataDir: string, plans: number): Promise<Line[]> => {
  const gateway = await smsGateway()
  const sms = { SMS_URL: gateway.url, SMS_USERNAME: 'bench', SMS_API_KEY: 'bench' }
  const start = (clock: string, port?: number) => startProgram(dataDir, clock, port, sms)
  try {
    const first = await start(setUpAt)
    await planAll(first.url, plans, gateway.taken).finally(first.stop)
    gateway.takenSince()
    const program = await start(beforeHour, Number(new URL(first.url).port))
    return await asked(program, plans, gateway.taken).finally(program.stop)
  } finally {
    await gateway.close()
  }
}

const asked = async (program: Program, plans: number, taken: readonly TakenSms[]): Promise<Line[]> => {
  const pool = new Pool({ connectionString: program.databaseUrl, max: 1 })
  try {
    let sent: number[] = []
    for (const end = Date.now() + patienceMs; sent.length < plans && Date.now() < end; await pause(1_000))
      sent = await promptsSent(pool)
    if (sent.length !== plans) throw new Error(`${sent.length} prompts of ${plans} plans`)
    const announced = await announcementsSent(pool)
    const minutesAfter = (at: number) => (at - hour) / minuteMs
    return [
      figure(
        `${plans} plans of 17:00, the first family asked after`,
        minutesAfter(Math.min(...sent)),
        'min',
        {
          atLeast: 0,
        },
      ),
      figure('the last family asked after', minutesAfter(Math.max(...sent)), 'min', {
        atMost: lastAskedWithin,
      }),
      figure('prompts in a minute, at most', mostInAMinute(sent), 'prompts', {
        atMost: 1.5 * Math.ceil(plans / 10),
      }),
      figure('prompts of a phone', Math.max(...(await promptsOfAPhone(pool))), 'prompts', { atMost: 1 }),
      figure('the last announcement before its prompt by', await leastNotice(pool), 'min', { atLeast: 10 }),
      figure('SMS handed to the gateway', taken.length, 'SMS', { atMost: smsADay * 0.9 }),
      figure('SMS in a minute, at most', mostInAMinute(announced), 'SMS'),
    ]
  } finally {
    await pool.end()
  }
}

const figure = (
  what: string,
  value: number,
  unit: string,
  limit?: { atMost?: number; atLeast?: number },
): Line => ({
  what,
  figure: { value, unit },
  targets: limit ? [{ name: unit, value, ...limit }] : [],
})

const mostInAMinute = (instants: readonly number[]): number =>
  Math.max(0, ...instants.map((from) => instants.filter((at) => at >= from && at < from + minuteMs).length))

const promptsSent = async (pool: Pool): Promise<number[]> => {
  const { rows } = await pool.query<{ at: Date }>(
    `select (prompt ->> 'sentAt')::timestamptz as at
     from payments.sandbox_transactions, jsonb_array_elements(state -> 'prompts') prompt`,
  )
  return rows.map(({ at }) => at.getTime())
}

const promptsOfAPhone = async (pool: Pool): Promise<number[]> => {
  const { rows } = await pool.query<{ prompts: number }>(
    `select count(*)::int as prompts from payments.prompt_notes group by number`,
  )
  return rows.map(({ prompts }) => prompts)
}

const announcementsSent = async (pool: Pool): Promise<number[]> => {
  const { rows } = await pool.query<{ at: Date }>(
    `select "sentAt" as at from messaging.mail_outbox
     where channel = 'sms' and "sentAt" is not null and subject like 'Next week%'`,
  )
  return rows.map(({ at }) => at.getTime())
}

/** In minutes. */
const leastNotice = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ least: number }>(
    `select min(extract(epoch from (week ->> 'since')::timestamptz - announced_at) / 60)::float8 as least
     from ordering.plans, jsonb_array_elements(weeks) week`,
  )
  return rows[0]!.least
}

const atOnce = 8

const planAll = async (url: string, plans: number, taken: readonly TakenSms[]): Promise<void> => {
  const office = await signIn(url, 'superadmin', superadminPassword)
  const dish = await openPlans(office)
  for (let from = 0; from < plans; from += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, plans - from) }, (_, index) =>
        planOf(url, from + index, dish, taken),
      ),
    )
  await sendSms(office, smsADay)
}

const openPlans = async (office: Client): Promise<MenuItem> => {
  const item = demoMenu.find(({ type }) => type === 'primary')!
  const everyDay = { price: '40.00', weekNumbers: [1], daysOfWeek: [1, 2, 3, 4, 5], leadDays: 0 }
  const dish = await office.call(createMenuItem, { body: { ...item, ...everyDay } })
  await office.call(createCycle, { body: { startDate: monday, cycleLength: 4, blockedDays: [] } })
  const rules = await office.call(getOrderingRules)
  await office.call(saveOrderingRules, { body: { ...rules, plans: true } })
  const ways = await office.call(getPaymentBypass)
  await office.call(savePaymentBypass, {
    body: { ...ways, prompt: true, currentPassword: superadminPassword },
  })
  await sendSms(office, smsOfCodes)
  return dish
}

const sendSms = async (office: Client, dailyCeiling: number): Promise<void> => {
  const { orderWithPhone, reminders } = await office.call(getMessageSettings)
  await office.call(saveMessageSettings, { body: { sms: true, dailyCeiling, orderWithPhone, reminders } })
}

const planOf = async (
  url: string,
  family: number,
  dish: MenuItem,
  taken: readonly TakenSms[],
): Promise<void> => {
  const phone = `097${String(5_000_000 + family)}`
  const username = `plan${family}`
  const client = await registerParent(url, {
    username,
    password: 'bench-parent',
    name: 'Bwalya Phiri',
    email: `${username}@example.com`,
    phone,
  })
  await client.call(verifyPhone)
  await client.call(confirmPhone, { body: { code: await codeFor(phone, taken) } })
  const { version } = await client.call(getUserMessages)
  await client.call(saveUserMessages, { body: { channel: 'sms', reminders: false, version } })
  const dishes = [
    {
      menuItemId: dish.id,
      category: dish.categories[0] ?? null,
      sideDish: dish.sideDishes[0] ?? null,
      price: Number(dish.price),
    },
  ]
  const children = []
  for (const name of ['Chipo', 'Mary']) {
    const { id: studentId } = await client.call(addStudent, {
      body: { name: `${name} ${family}`, grade: '3' },
    })
    children.push({ studentId, days: [1, 2, 3, 4, 5].map((day) => ({ day, dishes })) })
  }
  const at = { day: 0, hour: 17, minute: 0 }
  const pay = { by: 'prompt' as const, network: 'airtel' as const }
  await client.call(savePlan, { body: { children, at, pay, weekLimit: null } })
}

const codeFor = async (phone: string, taken: readonly TakenSms[]): Promise<string> => {
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(20)) {
    const sms = taken.find(({ to }) => to.endsWith(phone.slice(1)))
    if (sms) return /\d{6}/.exec(sms.message)![0]
  }
  throw new Error(`No code came to ${phone}`)
}
