import { adminToast } from '../../lib/toast'
import { templateCsv, templateName } from './csv-file'

/** Gives the template to the browser as a file. */
export const downloadTemplate = (): void => {
  const url = URL.createObjectURL(new Blob([templateCsv()], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = templateName
  link.click()
  URL.revokeObjectURL(url)
  adminToast({ title: 'Template Downloaded' })
}
