import type { BrowserContext, Page } from 'playwright-core'
import type { SentMark, ServedLunch } from '#contracts/serving'
import { axeWalk } from '../support/axe'
import { desk, phone, superadmin, tablet, visit } from '../support/browser'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { button, clickButton, dialog, showsText, shown } from '../support/on-page'

let school: LunchSchool
beforeAll(async () => {
  school = await openLunchSchool({ 'Soup & Bread': {} })
})
afterAll(() => school?.close())

const date = '2026-09-14'
const markedBy = (kind: 'given' | 'problem', markId: string) => ({
  markId: `00000000-0000-4000-8000-00000000000${markId}`,
  kind,
  at: `${date}T10:00:00.000Z`,
  by: 'mary',
  note: kind === 'problem' ? 'Spilled on the way' : null,
})

/** Lunches of every kind, several to a class. */
const lunches = (count: number): ServedLunch[] =>
  Array.from({ length: count }, (_, at) => ({
    orderId: `${at + 1}.${date}.1`,
    student: `Child Number-${at}`,
    grade: at < count / 2 ? '4' : '5',
    class: at < 8 ? '4 Blue' : null,
    tellApart: null,
    menuItem: 'Soup & Bread',
    category: at % 2 ? 'beef' : null,
    sideDish: at % 2 ? 'Nshima' : null,
    comments: at % 4 ? '' : 'No onions',
    allergies: [null, [], ['Peanuts', 'Egg']][at % 3]!,
    diet: 'none',
    medicalNote: at % 5 === 2 ? 'Asthma spray in the bag' : null,
    unpaid: at % 6 === 3,
    absent: at % 7 === 4,
    mark: at === 1 ? markedBy('given', '1') : at === 5 ? markedBy('problem', '5') : null,
  }))

/** Answers as a server does with these lunches; each mark was made by somebody else already. */
const serve = async (context: BrowserContext, count: number) => {
  await context.route('**/api/serving*', (route) =>
    route.fulfill({ json: { date, at: null, lunches: lunches(count) } }),
  )
  await context.route('**/api/serving/marks', (route) => {
    const { marks } = route.request().postDataJSON() as { marks: SentMark[] }
    const other = { ...markedBy('given', '9'), note: undefined }
    const results = marks.map(({ markId }) => ({ markId, result: 'already', code: null, other }))
    return route.fulfill({ json: { results } })
  })
}

const atTheHatch = async (count: number, viewport = phone) => {
  const visitor = await visit(school.browser, school.school.url, viewport, {
    as: superadmin,
    at: '/settings',
  })
  await serve(visitor.page.context(), count)
  await visitor.page.goto('/serve')
  await clickButton(visitor.page, /^All/)
  await shown(button(visitor.page, 'Give Child Number-0'))
  return visitor
}

/** What is pressed on the page and less than 48 px high or wide. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :is(a, button, input, select, textarea)')]
      .map((element) => ({ words: element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.height > 0 && (box.height < 48 || box.width < 48))
      .map(({ words, box }) => `${words} ${Math.round(box.width)} × ${Math.round(box.height)}`),
  )

test('axe finds nothing at the hatch, on a phone, a tablet and a desk; what is pressed is 48 px at least', async () => {
  const { page, close } = await atTheHatch(12)
  const { look, found } = axeWalk(page, { phone, tablet, desk })
  await look('the lunches')
  expect(await smallTargets(page)).toEqual([])
  await clickButton(page, 'Give Child Number-0')
  await showsText(page, '1 mark was changed by the server')
  await look('an answer')
  await page.context().setOffline(true)
  await clickButton(page, 'More for Child Number-2')
  await clickButton(page, 'Problem')
  await clickButton(page, 'Give Child Number-6')
  await showsText(page, '1 mark waits to be sent')
  // Else a button may be half under the search, which stays in sight.
  await page.evaluate(() => scrollTo(0, 0))
  await look('without a connection')
  expect(await smallTargets(page)).toEqual([])
  await clickButton(page, 'Logout')
  await shown(dialog(page, 'Sign out?'))
  await look('the question')
  expect(found).toEqual([])
  await close()
})
