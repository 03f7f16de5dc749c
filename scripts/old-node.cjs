// `node -r ./scripts/old-node.cjs` of the scripts in package.json: an old Node cannot read the script itself. In words that any reads.
const version = process.versions.node;
const numbers = version.split('.').map(Number);

if (numbers[0] < 20 || (numbers[0] === 20 && numbers[1] < 19)) {
  console.error(['Piton needs Node 20.19 or newer; this is ', version, '.'].join(''));
  process.exit(1);
}
