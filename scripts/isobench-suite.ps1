# Runs a plan over several directories or volumes. scripts/isobench-suite.sh does the same on Linux.
$program = 'isobench-suite.ps1'
. (Join-Path $PSScriptRoot 'lib.ps1')
. (Join-Path $PSScriptRoot 'driver.ps1')

$usage = @'
Usage: scripts\isobench-suite.ps1 PLAN [OPTION]...
Runs PLAN (docs/plans.md; .ini may be left out) on each volume, one after the other, and leaves a folder of results for
each: OUT/TAG/VOLUME, with manifest.json and one JSON per run. VOLUME is the number of the directory and its last name.

  --dir=DIR      measure the volume that DIR is on; may be given several times (default: .)
  --out=DIR      where the results go (default: results)
  --tag=TAG      name of this host in the results' tree: letters, digits, . _ - (default: the host's name)
  --program=FILE the isobench to run (default: the build's, else the one in PATH)
  --resume       go on with what a former call left undone
  --dry-run      print the commands and run nothing
  --help         this text

Exit status: 0 done, 130 Ctrl-C, else that of the first volume that failed (the others are run all the same).
'@

$options = @{ '--dir' = @(); '--out' = 'results'; '--tag' = ''; '--program' = '' }
$switches = @{ '--resume' = $false; '--dry-run' = $false }

function Test-Options([string[]]$plans) {
    if ($plans.Count -eq 0) {
        Stop-Usage 'name a plan'
    }
    if ($plans.Count -gt 1) {
        Stop-Usage "$($plans[1]): one plan is enough"
    }
    $script:plan = $plans[0]
    if (-not (Test-Path -PathType Leaf -LiteralPath $plan)) {
        if (-not (Test-Path -PathType Leaf -LiteralPath "$plan.ini")) {
            Stop-Usage "${plan}: no such plan"
        }
        $script:plan = "$plan.ini"
    }
    if ($options['--dir'].Count -eq 0) {
        $options['--dir'] = @('.')
    }
    foreach ($dir in $options['--dir']) {
        if (-not (Test-Path -PathType Container -LiteralPath $dir)) {
            Stop-Usage "--dir: $dir is not a directory"
        }
    }
    # PowerShell 5.1 passes "my data\" on so that the backslash takes the quote with it; "D:\" must stay.
    $options['--dir'] = @($options['--dir'] | ForEach-Object { $_ -replace '(?<=[^:\\/])[\\/]$', '' })
    if ($options['--tag'] -eq '') {
        $options['--tag'] = [Net.Dns]::GetHostName()
    }
    if ($options['--tag'] -notmatch '^[A-Za-z0-9_-][A-Za-z0-9._-]*$') {
        Stop-Usage "--tag must be letters, digits, . _ -, not $($options['--tag'])"
    }
}

# The last name of a directory, as far as it can be a folder's: "2-data"; of a drive its letter.
function Get-Volume([int]$number, [string]$dir) {
    $path = (Resolve-Path -LiteralPath $dir).ProviderPath
    $name = ($path -replace '[\\/:]+$', '') -replace '^.*[\\/]', ''
    if ($name -eq '') {
        $name = 'root'
    }
    return "$number-" + ($name -replace '[^A-Za-z0-9_-]', '_')
}

# One volume: its number, its directory. Sets $lastStatus.
function Invoke-Volume([int]$number, [string]$dir) {
    $out = $options['--out']
    $tag = $options['--tag']
    $volume = Get-Volume $number $dir
    $words = @('run', "$plan", "--out=$out/$tag/$volume", "--dir=$dir", "--tag=host=$tag", "--tag=volume=$volume")
    if ($switches['--resume']) {
        $words += '--resume'
    }
    $script:lastStatus = 0
    if ($switches['--dry-run']) {
        Write-Output "isobench $words"
        return
    }
    New-Item -ItemType Directory -Force -Path "$out/$tag" | Out-Null
    Say "${dir}: results in $out/$tag/$volume"
    & $isobench @words | Out-Host
    $script:lastStatus = $LASTEXITCODE
}

Test-Options @(Read-Options $args $options $switches $usage)
$isobench = Find-Program $options['--program']
$firstStatus = 0
for ($i = 0; $i -lt $options['--dir'].Count; $i++) {
    Invoke-Volume ($i + 1) $options['--dir'][$i]
    if ($lastStatus -eq 130) {
        exit 130
    }
    if ($firstStatus -eq 0) {
        $firstStatus = $lastStatus
    }
}
exit $firstStatus
