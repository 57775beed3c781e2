/** How far a file is that is looked through: on its way, then being worked on. */
export const LookingBar = ({ sent }: { sent: number }) => {
  const isSent = sent >= 1
  return (
    <label className="flex flex-col gap-1 text-sm text-muted">
      <span aria-live="polite" className="money">
        {isSent ? 'Comparing the list with the roll …' : `Uploading … ${Math.floor(sent * 100)} %`}
      </span>
      <progress value={isSent ? undefined : sent} max={1} className="progress" />
    </label>
  )
}
