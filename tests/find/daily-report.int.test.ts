import { type MessageSettings, getMessageSettings, saveMessageSettings } from '#contracts/messages'
import { refusal } from '../identity/people'
import { mailTo } from '../support/mails'
import { type FindingSchool, openFindingSchool } from './finding-school'

describe('the daily report', () => {
  let canteen: FindingSchool
  beforeAll(async () => {
    canteen = await openFindingSchool()
  })
  afterAll(() => canteen.close())

  const off = { sms: false, dailyCeiling: null, orderWithPhone: false, reminders: false }
  const set = (settings: Pick<MessageSettings, 'dailyReport'>) =>
    canteen.superadminClient.call(saveMessageSettings, { body: { ...off, ...settings } })
  const report = () => canteen.sweepNamed('daily-report')
  const mails = async (): Promise<{ to: string; subject: string }[]> => {
    const { rows } = await canteen.infrastructure.database.pool.query(
      `select "to", subject from messaging.mail_outbox where purpose = 'report' order by "to", "createdAt"`,
    )
    return rows
  }

  test('goes to nobody until addresses are set; the settings leave them where they are not sent', async () => {
    await report()
    expect(await mails()).toEqual([])
    const addresses = ['bursar@example.com', 'head@example.com']
    const saved = await set({ dailyReport: [...addresses, 'HEAD@example.com'] })
    expect(saved.dailyReport).toEqual(['bursar@example.com', 'HEAD@example.com'])
    expect(await set({})).toMatchObject({ dailyReport: saved.dailyReport })
    expect(await canteen.superadminClient.call(getMessageSettings)).toMatchObject(saved)
  })

  test.each([
    ['no address', ['nope']],
    ['eleven', Array.from({ length: 11 }, (_, at) => `a${at}@example.com`)],
  ])('refuses %s', async (_what, dailyReport) => {
    await expect(set({ dailyReport })).rejects.toEqual(refusal(422, 'validation_failed'))
  })

  test('is written at 06:30 and not before, once a day, and says what needs somebody', async () => {
    canteen.setClock('2026-09-15T06:29:00+02:00')
    await report()
    expect(await mails()).toEqual([])
    canteen.setClock('2026-09-15T06:30:00+02:00')
    await Promise.all([report(), report()])
    await report()
    const written = await mails()
    expect(written.map(({ to }) => to)).toEqual(['HEAD@example.com', 'bursar@example.com'])
    expect(written[0]!.subject).toBe('Lusaka Test School: 2 things to look at today')
    // The outbox keeps no text of a mail that was sent.
    const { text } = await mailTo(canteen, 'bursar@example.com', '2 things to look at today')
    expect(text).toContain('- Unpaid: 1 family owes K91.00, of it 1 meal of today (K45.50)')
    expect(text).toContain('- Backup: none was made yet')
  })

  test('is found again after an outage, and the days of the outage are not', async () => {
    canteen.setClock('2026-09-18T11:00:00+02:00')
    await report()
    expect(await mails()).toHaveLength(4)
  })
})
