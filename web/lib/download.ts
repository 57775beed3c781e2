/** Lets the browser keep what is at this address; without a name under the one that the server gives. */
export const downloadFrom = (address: string, name = ''): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Gives the text of a CSV file to the browser to keep. */
export const saveCsv = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  downloadFrom(address, name)
  URL.revokeObjectURL(address)
}
