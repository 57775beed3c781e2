import { type RollColumn, rollColumns } from '#contracts/roll-import'
import { csvFile, saveCsv } from '../../lib/download'
import { adminToast } from '../../lib/toast'

type Row = Record<RollColumn, string>

/** A family with two children, and a child of which little is known. */
const sampleRows: readonly Row[] = [
  {
    admissionNumber: 'A-001',
    student: 'Chipo Banda',
    grade: '3',
    class: '3B',
    guardian: 'Mrs Banda',
    email: 'banda@example.com',
    phone: '0977 123 456',
  },
  {
    admissionNumber: 'A-002',
    student: 'Mapalo Banda',
    grade: 'K',
    class: '',
    guardian: 'Mrs Banda',
    email: 'banda@example.com',
    phone: '0977 123 456',
  },
  {
    admissionNumber: '',
    student: 'Luse Phiri',
    grade: 'ELC',
    class: '',
    guardian: 'Mr Phiri',
    email: '',
    phone: '0966 300 400',
  },
]

/** A list that can be imported as it is. */
export const templateCsv = (): Promise<string> =>
  csvFile(
    rollColumns,
    sampleRows.map((row) => rollColumns.map((column) => row[column])),
  )

/** Gives the template to the browser as a file. */
export const downloadTemplate = async (): Promise<void> => {
  try {
    saveCsv('school-list-template.csv', await templateCsv())
    adminToast({ title: 'Template Downloaded' })
  } catch {
    adminToast({ title: 'Template not downloaded', text: 'Failed to make the file', kind: 'error' })
  }
}
