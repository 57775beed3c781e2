import type { Browser } from 'playwright-core'
import { sendMarks, serving, type ServedLunch } from '#contracts/serving'
import type { Client } from '../../src/app/demo/client'
import { brokenTruths, deviceAccounts, notWrittenOnce, openHatchDay } from '../crash/hatch-drill'
import { monday, onStage, type Stage } from '../crash/stage'
import { openBrowser, phone, tablet } from '../support/browser'
import { eventually } from '../support/eventually'
import { giveAll, hatchDevice, isSending, say, standingOn, waitingOnDisk } from '../support/hatch-device'
import { shown } from '../support/on-page'
import { schoolEvents } from '../support/school-events'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const hourMs = 3_600_000
const [cook, helper] = deviceAccounts as [(typeof deviceAccounts)[0], (typeof deviceAccounts)[0]]

type Device = Awaited<ReturnType<typeof hatchDevice>>

/** The program is killed while the next queue of this device is on its way, and started again. */
const killAtNextSending = async (stage: Stage, { context }: Device, clockOnMs = 0): Promise<void> => {
  await context.waitForEvent('request', isSending)
  await stage.kill('everything')
  stage.putClockOn(clockOnMs)
  await stage.start()
}

/** The network of a device comes back, which it hears of. */
const backOnline = async ({ context }: Device): Promise<void> => {
  await context.setOffline(true)
  await context.setOffline(false)
}

const openDay = async (stage: Stage) => {
  const url = `http://127.0.0.1:${stage.place.port}`
  const { office } = await openHatchDay(stage, url, 42)
  const rightMs = stage.clock().getTime() - Date.now()
  const [first, second] = await Promise.all([
    hatchDevice(browser, { as: cook, url, viewport: tablet, aheadMs: rightMs }),
    hatchDevice(browser, { as: helper, url, viewport: phone, aheadMs: rightMs - 2 * hourMs }),
  ])
  const { lunches } = await office.call(serving, { query: { date: monday } })
  return { office, first, second, names: lunches.map(({ student }) => student) }
}

/** What the first device tells, while the program is killed. */
const tellWithConnection = async (stage: Stage, device: Device, names: readonly string[]): Promise<void> => {
  const { page } = device
  await giveAll(page, names.slice(0, 170))
  const killed = killAtNextSending(stage, device)
  await giveAll(page, names.slice(170, 340))
  await killed
  for (const name of names.slice(495, 500)) await say(page, name, 'Absent')
  await backOnline(device)
  await shown(page.getByText('All sent'))
}

/** What the second device tells without a connection; its page is closed and opened again meanwhile. */
const tellOffline = async ({ context, page }: Device, names: readonly string[]) => {
  await context.setOffline(true)
  for (const name of names.slice(0, 10)) await say(page, name, 'Absent')
  for (const name of names.slice(10, 15)) await say(page, name, 'Problem')
  await giveAll(page, names.slice(260, 400))
  await eventually(async () => (await waitingOnDisk(page)) === 155)
  await page.close()
  const opened = await context.newPage()
  await opened.goto('/serve')
  await shown(opened.getByText('155 marks wait to be sent'))
  await giveAll(opened, names.slice(400))
  await shown(opened.getByText('259 marks wait to be sent'))
  return opened
}

const truthOf = ({ mark }: Pick<ServedLunch, 'mark'>) =>
  mark && `${mark.kind === 'given' ? 'Given by' : `${mark.kind}, said by`} ${mark.by}`

const handOutTwice = async (stage: Stage) => {
  const { office, first, second, names } = await openDay(stage)
  const [opened] = await Promise.all([tellOffline(second, names), tellWithConnection(stage, first, names)])
  const killed = killAtNextSending(stage, second, hourMs)
  await second.context.setOffline(false)
  await killed
  await backOnline(second)
  await shown(opened.getByText('All sent'))
  await shown(opened.getByText('95 marks were changed by the server'))
  await first.page.reload()
  const { lunches } = await office.call(serving, { query: { date: monday } })
  const truths = Object.fromEntries(lunches.map((lunch) => [lunch.student, truthOf(lunch)]))
  for (const page of [first.page, opened])
    await eventually(async () => expect(await standingOn(page)).toEqual(truths))
  const told = [...first.sent.values(), ...second.sent.values()]
  return { names, truths, told, broken: await brokenOf(stage, office, told, lunches) }
}

const brokenOf = async (
  stage: Stage,
  office: Client,
  told: Device['sent'] extends Map<string, infer Mark> ? Mark[] : never,
  lunches: readonly ServedLunch[],
) => {
  const { results: some } = await office.call(sendMarks, { body: { marks: told.slice(0, 500) } })
  const { results: others } = await office.call(sendMarks, { body: { marks: told.slice(500) } })
  return [...brokenTruths(told, [...some, ...others], lunches), ...(await notWrittenOnce(stage, told))]
}

test('two devices hand out 504 lunches, one without a connection for an hour and two hours wrong, while the program is killed and a page closed: one truth for each, and every mark is told', async () => {
  const store = await schoolEvents()
  const variables = { EVENTSTORE_URL: store.url }
  const day = await onStage({ seed: 1115, variables }, handOutTwice).finally(store.close)
  const { names, truths, told, broken } = day
  expect(broken).toEqual([])
  expect(told).toHaveLength(340 + 5 + 259)
  const by = (from: number, to: number) => new Set(names.slice(from, to).map((name) => truths[name]))
  expect(by(0, 340)).toEqual(new Set(['Given by tablet']))
  expect(by(340, 504)).toEqual(new Set(['Given by phone']))
}, 240_000)
