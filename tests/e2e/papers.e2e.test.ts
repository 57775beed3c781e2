import type { Page } from 'playwright-core'
import { createAdmin } from '#contracts/identity'
import type { ClassListEntry } from '#contracts/kitchen'
import { axeWalk } from '../support/axe'
import { desk, phone, tablet, visit } from '../support/browser'
import { type LunchSchool, openLunchSchool } from '../support/lunch-school'
import { shown } from '../support/on-page'
import { paperLunch, paperLunches } from '../support/paper-lunches'
import { pdfPages } from '../support/pdf-pages'

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
const remarked = (): Partial<ClassListEntry> => ({ comments: 'No onions, no tomatoes please.' })
const unevenly = (index: number): Partial<ClassListEntry> => ({
  grade: unevenGrades[index % 15]!,
  comments: index % 3 ? '' : `No onions and no tomatoes for table ${index}, please`,
})

describe('class lists on shared pages', () => {
  test.each([
    ['49 of 15 classes', paperLunches(49), 3],
    ['500 of 15 classes', paperLunches(500, evenly), 12],
    ['500 of 15 classes, each with a remark', paperLunches(500, remarked), 12],
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

  test('allergies are in bold, who has declared none says so, and nothing stands where nothing is declared', async () => {
    const of = [
      paperLunch({ allergies: ['Peanuts', 'Milk'], medicalNote: 'Pen in the office' }),
      paperLunch({ allergies: null }, 1),
      paperLunch({ allergies: [] }, 2),
    ]
    const [only] = await printed(of)
    expect(only!.text).toContain('Allergies:Peanuts,Milk·Peninthe')
    expect(only!.text).toContain('Nothingaboutallergies:thefamilyhasnottoldus.')
    expect(only!.text.match(/Noallergies/g)).toHaveLength(1)
    expect(only!.text).not.toContain('declared')
    expect(await page.locator('strong').evaluate((words) => getComputedStyle(words).fontWeight)).toBe('700')
  })
})

/** Where labels are on their pages, in mm, as the makers publish it. */
const sheets = {
  '24': { columns: 3, rows: 8, width: 63.5, height: 33.9, pitch: 66, left: 7.25, top: 12.9 },
  '65': { columns: 5, rows: 13, width: 38.1, height: 21.2, pitch: 40.6, left: 4.75, top: 10.7 },
  roll: { columns: 1, rows: 1, width: 62, height: 29, pitch: 62, left: 0, top: 0 },
}
/** From where on only the foot is on an A4 page of labels, in mm. */
const footFrom = 286
type Sheet = keyof typeof sheets

const boxOf = (sheet: Sheet, place: number) => {
  const { columns, width, height, pitch, left, top } = sheets[sheet]
  const x = left + (place % columns) * pitch
  const y = top + Math.floor(place / columns) * height
  return { x, y, right: x + width, bottom: y + height }
}

describe('labels', () => {
  test.each([
    ['24', 60, 5, 3, a4],
    ['65', 140, 10, 3, a4],
    ['roll', 7, 1, 7, '176 x 82'],
  ] as const)('of the format %s are where its makers say', async (sheet, count, start, most, size) => {
    const of = paperLunches(count, () => ({ grade: '2', allergies: ['Peanuts'] }))
    const pages = await printed(of, `&labels=${sheet}&start=${start}`)
    expect(pages).toHaveLength(most)
    const perPage = sheets[sheet].columns * sheets[sheet].rows
    for (const page of pages) {
      expect([page.size, page.inks]).toEqual([size, ['0 0 0']])
      if (sheet === 'roll') expect(page.text).not.toMatch(/Page|printed/)
      else expect(page.text).toMatch(/Page\dof3.*LabelsofTuesday,15September2026·printed15September2026at06/)
    }
    const placed = new Set<string>()
    for (const [index, { student }] of of.entries()) {
      const place = index + start - 1
      const { x, y, right, bottom } = boxOf(sheet, place % perPage)
      const onIt = pages[Math.floor(place / perPage)]!.runs.filter(
        (run) => run.x > x && run.x < right && run.y > y && run.y < bottom,
      )
      const words = packed(onIt.map(({ text }) => text).join(''))
      placed.add(words)
      expect(words).toContain(packed(student))
      expect(words).toContain('Grade2·Tue15Sept')
      expect(words).toContain('Allergies:Peanuts')
      expect(Math.min(...onIt.map((run) => run.x)) - x).toBeCloseTo(sheet === '65' ? 1.5 : 2.2, 0)
    }
    expect(placed.size).toBe(count)
  })

  const eight = ['Milk', 'Eggs', 'Fish', 'Shellfish', 'Tree Nuts', 'Peanuts', 'Wheat', 'Soybeans']
  const remark = 'No onions please, and no tomatoes. '.repeat(20).slice(0, 500)
  const longName = 'Mwansa Chilufya-Mulenga Kapembwa Nakamba Bwalya Mutale the Younger of Lusaka'
  const crowded = [
    paperLunch({ comments: remark }),
    paperLunch({ student: longName, menuItem: 'Grilled chicken with peanut sauce '.repeat(3) }, 1),
    paperLunch({ allergies: eight }, 2),
    paperLunch({ student: longName, class: '12 East of the river', comments: remark, allergies: eight }, 3),
    paperLunch(
      { student: 'W'.repeat(60), comments: 'w'.repeat(500), allergies: ['Peanuts'], absent: true },
      4,
    ),
    paperLunch({ allergies: Array.from({ length: 20 }, (_, index) => `Allergen ${index} of the school`) }, 5),
    paperLunch(
      { allergies: ['Peanuts'], medicalNote: 'Pen with the nurse. '.repeat(10), comments: remark },
      6,
    ),
  ]

  test.each(['24', '65', 'roll'] as const)(
    'of the format %s are never too full, and allergies stand whole',
    async (sheet) => {
      const pages = await printed(crowded, `&labels=${sheet}`)
      const text = pages.map((page) => page.text).join('')
      expect(pages).toHaveLength(sheet === 'roll' ? crowded.length : 1)
      for (const { allergies } of crowded)
        if (allergies) expect(text).toContain(packed(`Allergies: ${allergies.join(', ')}`))
      expect(text).not.toContain('declared')
      expect(text).toContain('…')
      const perPage = sheets[sheet].columns * sheets[sheet].rows
      const boxes = crowded.map((_, index) => boxOf(sheet, index % perPage))
      const outside = pages
        .flatMap(({ runs }) => runs)
        .filter(({ x, y }) => !boxes.some((box) => x > box.x && x < box.right && y > box.y && y < box.bottom))
      expect(outside.filter(({ y }) => y < footFrom)).toEqual([])
      const labels = await page.locator('.label-words').evaluateAll((all) =>
        all.map((words) => {
          const box = words.parentElement!.getBoundingClientRect()
          const last = words.lastElementChild!.getBoundingClientRect()
          const allergies = words.querySelector('.label-allergies')?.getBoundingClientRect() ?? last
          return {
            over:
              Math.max(last.bottom, allergies.bottom) > box.bottom || words.scrollWidth > words.clientWidth,
            bold: getComputedStyle(words.querySelector('.label-allergies > :last-child') ?? words).fontWeight,
          }
        }),
      )
      expect(labels.map(({ over }) => over)).toEqual(crowded.map(() => false))
      expect(labels.map(({ bold }) => bold)).toEqual(
        crowded.map(({ allergies }) => (allergies ? '700' : '400')),
      )
    },
  )

  test('what fits is of the usual size, whatever is beside it', async () => {
    await openPaper([paperLunch(), ...crowded], '&labels=24')
    const styles = await page
      .locator('.label-words')
      .evaluateAll((all) => all.map((words) => words.getAttribute('style')))
    expect(styles[0]).toBe(null)
    expect(styles.slice(1)).not.toContain(null)
  })

  test('500 are printed, each once, by meal', async () => {
    const of = paperLunches(500)
    const pages = await printed(of, '&labels=24&by=meal')
    expect(pages).toHaveLength(21)
    const text = pages.map((page) => page.text).join('')
    for (const { student } of of) expect(text.split(packed(student))).toHaveLength(2)
    expect(text.lastIndexOf('BeefStew')).toBeLessThan(text.indexOf('Nshima&VillageChicken'))
    expect(text.lastIndexOf('Nshima&VillageChicken')).toBeLessThan(text.indexOf('Soup&Bread'))
  })

  test('are seen whole on phone, tablet and desk, there as large as on paper', async () => {
    const { look, found } = axeWalk(page, { phone, tablet, desk })
    for (const size of [phone, tablet, desk]) {
      await page.setViewportSize(size)
      await openPaper(paperLunches(30), '&labels=24&start=4')
      await shown(page.getByText('30 labels on 2 sheets.'))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width)
      const sheet = (await page.getByRole('list', { name: 'Sheet 1 of 2' }).boundingBox())!
      expect(sheet.x + sheet.width).toBeLessThan(size.width)
    }
    const { width, height } = (await page.locator('.label').first().boundingBox())!
    expect([(width * 25.4) / 96, (height * 25.4) / 96]).toEqual([
      expect.closeTo(63.5, 1),
      expect.closeTo(33.9, 1),
    ])
    await look('labels')
    expect(found).toEqual([])
  })
})
