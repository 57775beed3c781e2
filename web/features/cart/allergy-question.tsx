import { ConfirmDialog } from '../../ui/confirm-dialog'

type AllergyQuestionProps = {
  words: string
  of: string
  onYes: () => void
  onNo: () => void
}

export const AllergyQuestion = ({ words, of, onYes, onNo }: AllergyQuestionProps) => (
  <ConfirmDialog
    open
    danger
    title={`Order ${of} all the same?`}
    confirm="Order It"
    cancel="Choose Another"
    onConfirm={onYes}
    onClose={onNo}
  >
    {words}. The kitchen sees this, but it cooks the meal as it is on the menu.
  </ConfirmDialog>
)
