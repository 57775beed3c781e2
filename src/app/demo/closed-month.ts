import { randomUUID } from 'node:crypto'
import { bookAccounts, closeDay, saveAccounts, type AccountSettings } from '#contracts/books'
import { giveCredit } from '#contracts/credit'
import { addStudent } from '#contracts/identity'
import { addDays, type SchoolDate } from '#kernel/school-time'
import { registerParent, type Client } from './client'

type Month = { baseUrl: string; lastDay: SchoolDate; at: (date: SchoolDate, hour: number) => void }

/** The books of a month with one day, closed and ready for Sage: a family of grade 12, which leaves, has credit. */
export const closeLastMonth = async (
  office: Client,
  { baseUrl, lastDay, at }: Month,
  password: string,
): Promise<void> => {
  const family = { username: 'thandiwe.kapata', name: 'Thandiwe Kapata', phone: '+260 97 8123456', password }
  const parent = await registerParent(baseUrl, family)
  const { parent_id: id } = await parent.call(addStudent, { body: { name: 'Lubasi Kapata', grade: '12' } })
  await office.call(giveCredit, {
    params: { id },
    body: { amount: 180, reason: 'Prize of the science fair' },
    headers: { 'idempotency-key': randomUUID() },
  })
  const codes = Object.fromEntries(
    bookAccounts.map((account, index) => [account, String(8_400_001 + index)]),
  ) as AccountSettings['codes']
  await office.call(saveAccounts, { body: { program: 'sage', codes, taxCode: 'No VAT' } })
  at(addDays(lastDay, 1), 8)
  await office.call(closeDay, { body: { date: lastDay }, headers: { 'idempotency-key': randomUUID() } })
}
