import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { noLunchReport, sponsoredReport } from '#contracts/lunch-reports'
import { type MessageSettings, saveMessageSettings } from '#contracts/messages'
import { weekdayName } from '#kernel/school-time'
import { mailFolder } from '../../src/adapters/mail'
import { refusal } from '../identity/people'
import { mailTo } from '../support/mails'
import { type FindingSchool, openFindingSchool } from './finding-school'

describe('the report of the week', () => {
  let canteen: FindingSchool
  beforeAll(async () => {
    canteen = await openFindingSchool()
  })
  afterAll(() => canteen.close())

  const off = { sms: false, dailyCeiling: null, orderWithPhone: false, reminders: false }
  const set = (settings: Pick<MessageSettings, 'headReport'>) =>
    canteen.superadminClient.call(saveMessageSettings, { body: { ...off, ...settings } })
  const report = () => canteen.sweepNamed('head-report')
  const mails = async (): Promise<{ to: string; subject: string }[]> => {
    const { rows } = await canteen.infrastructure.database.pool.query(
      `select "to", subject from messaging.mail_outbox where purpose = 'report' order by "createdAt", "to"`,
    )
    return rows
  }

  test('goes to nobody until addresses are set, and not for the week before they were', async () => {
    await report()
    expect(await mails()).toEqual([])
    const saved = await set({ headReport: ['head@example.com', 'deputy@example.com', 'HEAD@example.com'] })
    expect(saved.headReport).toEqual(['HEAD@example.com', 'deputy@example.com'])
    expect(await set({})).toMatchObject({ headReport: saved.headReport, dailyReport: [] })
    await report()
    expect(await mails()).toEqual([])
    await expect(set({ headReport: ['nope'] })).rejects.toEqual(refusal(422, 'validation_failed'))
  })

  test('is written on Monday at 06:30, once, by whichever of two workers comes first', async () => {
    canteen.setClock('2026-09-21T06:29:00+02:00')
    await report()
    expect(await mails()).toEqual([])
    canteen.setClock('2026-09-21T06:30:00+02:00')
    await Promise.all([report(), report()])
    await report()
    const subject = 'Lusaka Test School: The week of Monday, 14 September 2026'
    expect(await mails()).toEqual([
      { to: 'HEAD@example.com', subject },
      { to: 'deputy@example.com', subject },
    ])
  })

  test('tells the week in plain text and in HTML', async () => {
    const { text } = await mailTo(canteen, 'deputy@example.com', 'The week of')
    expect(text).toContain('Lunches: 3 (0, 0, 0, 0)')
    expect(text).toContain('Money in: K45.50, back: K0.00')
    const days: string[] = []
    for (const date of ['2026-09-14', '2026-09-15', '2026-09-16', '2026-09-17', '2026-09-18']) {
      const { totals } = await canteen.superadminClient.call(noLunchReport, { query: { date } })
      if (totals.ordered + totals.absent > 0) days.push(`${weekdayName(date)} ${totals.without}`)
    }
    expect(text).toContain(`No lunch ordered: ${days.join(', ')}`)
    const range = { from: '2026-09-14', to: '2026-09-20' }
    const { totals } = await canteen.superadminClient.call(sponsoredReport, { query: range })
    expect(text).toContain(`Sponsored: ${totals.meals} lunches, K${totals.sponsored.toFixed(2)} taken off`)
    const folder = mailFolder(canteen.dataDir)
    const sources = await Promise.all(
      (await readdir(folder)).map(async (name) =>
        PostalMime.parse(await readFile(join(folder, name), 'utf8')),
      ),
    )
    const mail = sources.find(({ subject }) => subject?.includes('The week of'))!
    expect(mail.html).toContain('<p>Lunches: 3 (0, 0, 0, 0)</p>')
  })

  test('a Monday that the service was down is told of later, earlier ones are not', async () => {
    canteen.setClock('2026-10-07T11:00:00+02:00')
    await report()
    const later = (await mails()).slice(2)
    expect(later.map(({ subject }) => subject)).toEqual([
      'Lusaka Test School: The week of Monday, 28 September 2026',
      'Lusaka Test School: The week of Monday, 28 September 2026',
    ])
  })
})
