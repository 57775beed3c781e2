import { createMenuItem, listMenu, setArchived, unknownDiets } from '#contracts/catalogue'
import type { BodyOf, ErrorReply, ReplyOf } from '#contracts/endpoint'
import { bulkUpload, csvColumns, type MenuMapping } from '#contracts/menu-upload'
import { catalogueModule } from '#modules/catalogue/index'
import { menuRoutes } from '#modules/ordering/menu.routes'
import { administrator, serveModule } from '../support/module-server'
import { testDatabase } from '../support/postgres'
import { quietNotices, standIn } from '../support/stand-ins'

export const cook = administrator(10, 'menu')

export const soup: BodyOf<typeof createMenuItem> = {
  name: 'Vegetable soup',
  description: 'With fresh bread',
  price: '30',
  imageUrl: null,
  type: 'primary',
  categories: ['vegetarian'],
  proteinDescriptions: { vegetarian: 'Beans' },
  weekNumbers: [1, 2],
  daysOfWeek: [1, 5],
  allergens: ['Wheat'],
  diets: unknownDiets,
  sideDishes: ['Bread'],
  isAvailable: true,
  portionLimit: null,
  leadDays: 0,
  ingredients: [],
}

/** Rows that tests upload: `header` in the order of the template without its last columns, two meals, and a plain meal of any name. */
const later = ['diets', 'leadDays', 'ingredients']
export const header = csvColumns.filter((column) => !later.includes(column)).join(',')
export const soupRow =
  'Soup,"With bread, warm",30,primary,vegetarian,vegetarian:Beans,"1,2","1,5",none,"Bread,Salad",true'
export const pieRow =
  'Pie,,45.5,secondary,"Beef,chicken",beef:Slow|chicken:Free range,3,2,"Wheat,Eggs",,false'
export const stewRow = (name: string, price = '20') => `${name},,${price},primary,beef,,1,1,none,,true`

const boundary = 'lunch-menu-boundary'

const textPart = (field: string, text: string) =>
  Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${text}\r\n`)

const formPart = (field: string, fileName: string, type: string, content: Buffer | string) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\n` +
        `Content-Type: ${type}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])

/** A form as a browser sends it; `end: false` breaks it off. */
export const multipart = (
  content: Buffer | string,
  {
    field = 'file',
    fileName = 'menu.csv',
    type = 'text/csv',
    end = true,
    mapping,
  }: { field?: string; fileName?: string; type?: string; end?: boolean; mapping?: MenuMapping } = {},
) => ({
  method: 'POST',
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  body: Buffer.concat([
    ...(mapping ? [textPart('mapping', JSON.stringify(mapping))] : []),
    formPart(field, fileName, type, content),
    Buffer.from(end ? `--${boundary}--\r\n` : ''),
  ]),
})

const morning = new Date('2026-09-14T05:00:00Z')

/** The catalogue module on a database of its own. Items in `ordered` have orders, `discounts` are by user, `taken` how many portions of items are. */
export const startCatalogueOnly = async () => {
  const { database, close } = await testDatabase()
  const { notifications, missed } = quietNotices()
  const ordered = new Set<number>()
  const discounts = new Map<number, number>()
  const taken = new Map<number, number>()
  const catalogue = catalogueModule(
    standIn({
      database,
      now: () => morning,
      notifications,
      itemsInUse: async (ids) => new Set(ids.filter((id) => ordered.has(id))),
    }),
  )
  const menu = menuRoutes(
    standIn({
      now: () => morning,
      catalogue,
      discountOf: async (userId: number) => () => ({ percentage: discounts.get(userId) ?? 0, sponsor: null }),
    }),
    async ({ itemIds, from }) =>
      itemIds.flatMap((itemId) =>
        taken.has(itemId) ? [{ itemId, date: from, taken: taken.get(itemId)! }] : [],
      ),
    async (itemId) => taken.get(itemId) ?? 0,
  )
  const server = await serveModule({ ...catalogue, routes: [...menu, ...catalogue.routes] })
  const accepted = async (path: string, lines: string[]): Promise<ReplyOf<typeof bulkUpload>> => {
    const answer = await server.ask(cook, path, multipart(lines.join('\n')))
    if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${answer.text}`)
    return bulkUpload.reply.parse(answer.json())
  }
  return {
    database,
    catalogue,
    server,
    ordered,
    discounts,
    taken,
    /** An allergen of the school's own, beside the standard ones. */
    addAllergen: (name: string) =>
      database
        .knex('catalogue.allergens')
        .insert({ name, key: name.toLowerCase(), standard: false, unseen: false }),
    create: (more: object = {}) => server.call(cook, createMenuItem, { body: { ...soup, ...more } }),
    archive: (id: number) => server.call(cook, setArchived, { params: { id }, body: { isArchived: true } }),
    menu: () => server.call(cook, listMenu),
    /** Uploads a CSV file of these lines; must be accepted. */
    upload: (...lines: string[]) => accepted(bulkUpload.path, lines),
    /** What such an upload would do. */
    dryRun: (...lines: string[]) => accepted(`${bulkUpload.path}?dryRun=true`, lines),
    /** The answer to an uploaded form, whatever it is. */
    send: async (form: ReturnType<typeof multipart>) => {
      const answer = await server.ask(cook, bulkUpload.path, form)
      return { status: answer.status, ...answer.json<ErrorReply>() }
    },
    reset: async () => {
      ordered.clear()
      discounts.clear()
      taken.clear()
      await database.knex('catalogue.allergens').where({ standard: false }).delete()
      await database.knex.raw(
        'truncate catalogue.menu_items, catalogue.pictures, platform.changes restart identity',
      )
      missed()
    },
    close: async () => {
      await server.close()
      await close()
    },
  }
}
