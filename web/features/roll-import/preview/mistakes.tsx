import { useState } from 'react'
import type { RollError } from '#contracts/roll-import'
import { counted, wholeNumber } from '../../../lib/format'
import { csvFile, saveCsv } from '../../../lib/download'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../../ui/table'
import { columnWords } from '../list-words'

const shownAtFirst = 10
/** The server tells no more. */
const mostTold = 1000

/** The rows that are left out, and why; the numbers are those of the spreadsheet. */
export const Mistakes = ({ errors }: { errors: readonly RollError[] }) => {
  const [all, setAll] = useState(false)
  const shown = all ? errors : errors.slice(0, shownAtFirst)
  return (
    <Card>
      <CardHeading
        title={errors.length >= mostTold ? 'The first 1,000 mistakes' : counted(errors.length, 'mistake')}
        hint="These rows are left out. Correct them in the file and choose it again, or go on without them."
        actions={
          <Button variant="ghost" size="sm" icon="download" onClick={() => void download(errors)}>
            Download Mistakes
          </Button>
        }
      />
      <CardBody className="flex flex-col gap-3">
        <Table label="Mistakes">
          <TableHead>
            <tr>
              <HeadCell>Row</HeadCell>
              <HeadCell>Column</HeadCell>
              <HeadCell>What is wrong</HeadCell>
            </tr>
          </TableHead>
          <TableBody>
            {shown.map(({ row, column, message }) => (
              <tr key={`${row} ${column} ${message}`}>
                <Cell className="money">{row}</Cell>
                <Cell className="max-sm:min-w-28">{columnWords[column].label}</Cell>
                <Cell className="min-w-40 wrap-anywhere">{message}</Cell>
              </tr>
            ))}
          </TableBody>
        </Table>
        {all || errors.length <= shownAtFirst ? null : (
          <Button variant="secondary" size="sm" className="self-start" onClick={() => setAll(true)}>
            {`Show all ${wholeNumber(errors.length)}`}
          </Button>
        )}
      </CardBody>
    </Card>
  )
}

const download = async (errors: readonly RollError[]) => {
  const rows = errors.map(({ row, column, message }) => [String(row), columnWords[column].label, message])
  saveCsv('school-list-mistakes.csv', await csvFile(['Row', 'Column', 'What is wrong'], rows))
}
