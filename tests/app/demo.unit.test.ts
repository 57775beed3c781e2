import { EventEmitter } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Principal } from '#platform/http/route'
import { pinoLog } from '../../src/adapters/log'
import { logWarnings } from '../../src/app/commands/command'
import { daysOf, firstKitchenDay } from '../../src/app/demo/ordering'
import { demoMenu, pictureOf } from '../../src/app/demo/sample-data'
import { firstPage } from '../../src/app/service/web'

const holding = (words: RegExp) =>
  demoMenu.filter(({ name, description, sideDishes, proteinDescriptions }) =>
    words.test([name, description, ...sideDishes, ...Object.values(proteinDescriptions)].join(', ')),
  )

test.each([
  [
    'Wheat',
    /bread|burger|sandwich|wrap|spaghetti|pasta|macaroni|lasagne|noodle|spring roll|chapati|soft roll/i,
  ],
  ['Milk', /cheese|cream|garlic bread|lasagne/i],
  ['Eggs', /\begg\b|coleslaw|noodle|lasagne/i],
  ['Fish', /fish|bream/i],
  ['Soybeans', /soy/i],
])('every dish with %s in it, in a side dish or in a protein says so', (allergen, words) => {
  const dishes = holding(words)
  expect(dishes.length).toBeGreaterThan(0)
  expect(dishes.filter(({ allergens }) => !allergens?.includes(allergen)).map(({ name }) => name)).toEqual([])
})

test('a dish with a choice of proteins says what each is, and one without says nothing', () => {
  for (const { name, categories, proteinDescriptions } of demoMenu)
    expect([name, Object.keys(proteinDescriptions).toSorted()]).toEqual([
      name,
      categories.length > 1 ? categories.toSorted() : [],
    ])
})

test.each(['primary', 'secondary'] as const)('%s has a meal without meat or fish each day', (type) => {
  for (const week of [1, 2])
    for (const day of [1, 2, 3, 4, 5])
      expect(
        demoMenu.some(
          (dish) =>
            dish.type === type &&
            dish.weekNumbers.includes(week) &&
            dish.daysOfWeek.includes(day) &&
            dish.categories.includes('vegetarian'),
        ),
      ).toBe(true)
})

test('every dish of the demonstration has a picture of its own, and every picture a dish', () => {
  const pictures = demoMenu.map(({ name }) => pictureOf(name))
  expect(pictures.filter((picture) => !existsSync(picture))).toEqual([])
  expect(new Set(pictures.map(String)).size).toBe(demoMenu.length)
  expect(readdirSync(join(process.cwd(), 'demo-pictures'))).toHaveLength(demoMenu.length)
})

const opens = (at: string) => firstKitchenDay(new Date(at), 'Africa/Lusaka')

test.each([
  ['Wednesday', '2026-09-16T10:00:00+02:00', { week: 1, day: 3 }],
  ['Friday before midnight', '2026-09-18T23:59:00+02:00', { week: 1, day: 5 }],
  ['Saturday', '2026-09-19T00:00:00+02:00', { week: 2, day: 1 }],
  ['Sunday before midnight', '2026-09-20T23:59:00+02:00', { week: 2, day: 1 }],
])('opened on a %s the kitchen sees its next school day', (_, at, day) => {
  expect(opens(at)).toEqual(day)
})

const lunchesOn = (day: { week: number; day: number }, kitchenWeek: number) =>
  Array.from({ length: 30 }, (_, index) => daysOf(index, kitchenWeek)).filter((days) =>
    days.some((one) => one.week === day.week && one.day === day.day),
  ).length

test('that day is ordered by most families, a week further on by some', () => {
  expect(lunchesOn({ week: 1, day: 3 }, 1)).toBe(24)
  expect(lunchesOn({ week: 2, day: 1 }, 1)).toBe(10)
  expect(lunchesOn({ week: 2, day: 1 }, 2)).toBe(24)
})

const office = { role: 'admin', isSuperadmin: true, features: [] } as unknown as Principal
const readsAt = (address: string) => firstPage(office, new URL(address, 'http://school.test')).reads

test('a section of the console comes with what stands first in it', () => {
  expect(readsAt('/?section=kitchen')).toEqual(
    expect.arrayContaining(['/api/orders/today?page=1&pageSize=100', '/api/orders/conflicts']),
  )
  expect(readsAt('/')).toEqual(readsAt('/?section=menu'))
})

test.each(['nowhere', 'constructor', '__proto__'])(
  'a section that is none (%s) comes with the user alone',
  (name) => expect(readsAt(`/?section=${name}`)).toEqual(['/api/user', '/api/portal']),
)

test('warnings of Node and of libraries are in the log, not on the terminal', () => {
  const written: string[] = []
  const printed: unknown[] = []
  const process = new EventEmitter().on('warning', (warning) => printed.push(warning))
  const { warn } = console
  try {
    logWarnings(pinoLog('warn', { write: (line) => written.push(line) }), process)
    process.emit('warning', new Error('old call'))
    console.warn('eviction policy', 7)
  } finally {
    console.warn = warn
  }
  expect(printed).toEqual([])
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', err: { message: 'old call' } },
    { level: 'warn', said: ['eviction policy', '7'] },
  ])
})
