import type { Page } from 'playwright-core'
import type { ClassListEntry } from '#contracts/class-list'
import { createAdmin } from '#contracts/identity'
import { desk, visit } from '../support/browser'
import { type LunchSchool, openLunchSchool } from '../support/lunch-school'
import { paperLunch, paperLunches } from '../support/paper-lunches'
import { pdfPages } from '../support/pdf-pages'
import { shown } from '../support/shown'

const date = '2026-09-15'
const title = 'Class lists of Tuesday, 15 September 2026'
const a4 = '595 x 842'

let lunch: LunchSchool
let page: Page
let closeVisit: () => Promise<void>
let lunches: ClassListEntry[] = []
beforeAll(async () => {
  lunch = await openLunchSchool({})
  const as = { username: 'cook', password: 'cook-password' }
  await lunch.office.call(createAdmin, { body: { ...as, allowedFeatures: ['kitchen'] } })
  lunch.school.setClock('2026-09-15T06:00:00+02:00')
  const visitor = await visit(lunch.browser, lunch.school.url, desk, { as })
  page = visitor.page
  closeVisit = visitor.close
  await page.route('**/api/orders/class-list*', (route) =>
    route.fulfill({ json: { date, data: lunches, grades: ['2', '3'] } }),
  )
})
afterAll(async () => {
  await closeVisit?.()
  await lunch?.close()
})

const packed = (words: string) => words.replaceAll(/\s/g, '')

/** Opens a paper of these lunches, at this end of its address. */
const openPaper = async (of: ClassListEntry[], more = '') => {
  lunches = of
  await page.goto(`/?section=kitchen&list=${date}${more}`)
  await shown(page.getByText(of[0]!.student, { exact: true }).first())
}

const printed = async (of: ClassListEntry[], more = '') => {
  await openPaper(of, more)
  return pdfPages(await page.pdf({ preferCSSPageSize: true }))
}

/** What a shared list says a child gets, in one run. */
const runOf = ({ menuItem, category, sideDish, comments }: ClassListEntry) =>
  packed([menuItem, category, sideDish, comments].filter(Boolean).join('·')).toLowerCase()

const unevenGrades = ['1', '1', '2', '3', '4', '4', '5', '6', '7', '7', '8', '8', '9', '10', '11'] as const
const evenly = (index: number): Partial<ClassListEntry> => ({ comments: index % 5 ? '' : `Table ${index}` })
const unevenly = (index: number): Partial<ClassListEntry> => ({
  grade: unevenGrades[index % 15]!,
  comments: index % 3 ? '' : `No onions and no tomatoes for table ${index}, please`,
})

describe('class lists on shared pages', () => {
  test.each([
    ['49 of 15 classes', paperLunches(49), 3],
    ['500 of 15 classes', paperLunches(500, evenly), 12],
    ['500 of classes large and small', paperLunches(500, unevenly), 12],
  ])('%s take few pages, and no class is on two', async (_, of, most) => {
    const pages = await printed(of)
    expect(pages.length).toBeLessThanOrEqual(most)
    for (const [index, { text, size, inks }] of pages.entries()) {
      expect(size).toBe(a4)
      expect(inks).toEqual(['0 0 0'])
      expect(text).toContain(packed(title))
      expect(text).toContain(`Page${index + 1}of${pages.length}`)
      expect(text).toMatch(/printed15September2026at06:\d\d/)
    }
    for (const label of new Set(of.map(({ grade }) => grade))) {
      const own = of.filter(({ grade }) => grade === label)
      const [page] = pages.filter(({ text }) => text.includes(packed(own[0]!.student)))
      for (const one of own) {
        expect(page!.text).toContain(packed(one.student))
        expect(page!.text.toLowerCase()).toContain(runOf(one))
      }
    }
  })

  test('a class longer than a page begins where it stands, and is named again where it goes on', async () => {
    const pages = await printed(paperLunches(100, () => ({ class: '2 East' })))
    expect(pages.length).toBe(2)
    for (const { text } of pages) expect(text).toContain('2East100lunches·Tuesday,15September2026')
  })

  test('allergies are in bold, and who has declared none says so', async () => {
    const of = [
      paperLunch({ allergies: ['Peanuts', 'Milk'], medicalNote: 'Pen in the office' }),
      paperLunch({ allergies: null }, 1),
      paperLunch({ allergies: [] }, 2),
    ]
    const [only] = await printed(of)
    expect(only!.text).toContain('Allergies:Peanuts,Milk·Peninthe')
    expect(only!.text).toContain('Rice·Allergiesnotdeclared')
    expect(only!.text).toContain('Allergiesinbold;nothingsaid:none.')
    expect(only!.text).not.toContain('Noallergies')
    expect(await page.locator('strong').evaluate((words) => getComputedStyle(words).fontWeight)).toBe('700')
  })
})
