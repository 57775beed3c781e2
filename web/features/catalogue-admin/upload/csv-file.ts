import { csvColumns } from '#contracts/menu-bulk'
import { csvFile, saveCsv } from '../../../lib/download'
import { adminToast } from '../../../lib/toast'

type Row = Record<(typeof csvColumns)[number], string>

/** Two rows that show every notation: pairs joined by `|`, comma-separated lists, allergens or `none`. */
const sampleRows: [Row, Row] = [
  {
    name: 'Chicken Rice Bowl',
    description: 'Grilled chicken on savoury rice with tomato relish',
    price: '45.00',
    type: 'primary',
    categories: 'chicken,vegetarian',
    proteinDescriptions: 'chicken:Grilled chicken strips|vegetarian:Spiced chickpeas',
    weekNumbers: '1,2,3,4',
    daysOfWeek: '1,3,5',
    allergens: 'Milk,Soybeans',
    sideDishes: 'Garden salad,Fruit cup',
    isAvailable: 'true',
  },
  {
    name: 'Beef Stew with Nshima',
    description: 'Slow-cooked beef with greens',
    price: '60.50',
    type: 'secondary',
    categories: 'beef,fish',
    proteinDescriptions: 'beef:Tender beef stew|fish:Grilled bream',
    weekNumbers: '1,2,3,4,5,6',
    daysOfWeek: '2,4',
    allergens: 'none',
    sideDishes: 'Coleslaw,Rape greens',
    isAvailable: 'true',
  },
]

const templateName = 'menu-items-template.csv'

/** The template that the upload takes back unchanged: the columns in order and two sample rows. */
export const templateCsv = (): Promise<string> =>
  csvFile(
    csvColumns,
    sampleRows.map((row) => csvColumns.map((column) => row[column])),
  )

/** A CSV by its type or by its name. */
export const isCsvFile = (file: { name: string; type: string }): boolean =>
  file.type === 'text/csv' || file.name.toLowerCase().endsWith('.csv')

/** `bytes` in KB with one decimal: 1536 → "1.5 KB". */
export const sizeInKb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`

/** Gives the template to the browser as a file. */
export const downloadTemplate = async (): Promise<void> => {
  try {
    saveCsv(templateName, await templateCsv())
    adminToast({ title: 'Template Downloaded' })
  } catch {
    adminToast({ title: 'Template not downloaded', text: 'Failed to make the file', kind: 'error' })
  }
}
