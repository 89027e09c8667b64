# Puts folders of results side by side. scripts/isobench-compare.sh does the same on Linux.
$program = 'isobench-compare.ps1'
. (Join-Path $PSScriptRoot 'lib.ps1')
. (Join-Path $PSScriptRoot 'driver.ps1')

$usage = @'
Usage: scripts\isobench-compare.ps1 FOLDER... [OPTION]...
Takes what scripts/isobench-suite left on one host or on several (a results folder, one host's in it, one volume's) and
lays each volume's results side by side: OUT/FIGURE.txt, .md, .csv and .json (docs/compare.md) for each figure, and
report.html where this isobench makes reports. The first volume is what the others are held against.

  --out=DIR      where the tables go: a new or empty folder (default: comparison)
  --figure=KEY   figure to compare; may be given several times (default: rate_per_s and p99_ns)
  --baseline=DIR another volume's folder to hold the others against
  --program=FILE the isobench to run (default: the build's, else the one in PATH)
  --dry-run      print the commands and run nothing
  --help         this text

Exit status: 0 done, 130 Ctrl-C, else that of the command that failed, which is the last one.
'@

$sets = @()
$options = @{ '--out' = 'comparison'; '--figure' = @(); '--baseline' = ''; '--program' = '' }
$switches = @{ '--dry-run' = $false }

# The manifests that may be in a level of the tree, in the order of their bytes, as bash has them.
function Get-Manifests([string[]]$levels) {
    $paths = [string[]]@($levels | ForEach-Object { "$_/manifest.json" })
    [Array]::Sort($paths, [StringComparer]::Ordinal)
    return $paths | Where-Object { Test-Path -PathType Leaf -LiteralPath $_ }
}

function Get-Children([string[]]$levels) {
    foreach ($level in $levels) {
        Get-ChildItem -Directory -LiteralPath $level | ForEach-Object { "$level/$($_.Name)" }
    }
}

# Adds the folders of results in a folder: itself, or those of its volumes, or those of its hosts' volumes.
function Add-Sets([string]$folder) {
    $children = @(Get-Children @($folder))
    $grandchildren = @(Get-Children $children)
    $found = @(Get-Manifests @($folder)) + @(Get-Manifests $children) + @(Get-Manifests $grandchildren)
    if ($found.Count -eq 0) {
        Stop-Usage "${folder}: no results of scripts/isobench-suite are in it (no manifest.json)"
    }
    $script:sets += @($found | ForEach-Object { $_ -replace '/manifest\.json$', '' })
}

function Test-Options([string[]]$folders) {
    if ($folders.Count -eq 0) {
        Stop-Usage 'name one or more folders of results'
    }
    foreach ($named in $folders) {
        $folder = $named -replace '[\\/]$', ''
        if (-not (Test-Path -PathType Container -LiteralPath $folder)) {
            Stop-Usage "$folder is not a directory"
        }
        Add-Sets $folder
    }
    if ($sets.Count -lt 2) {
        Stop-Usage "$($sets[0]): one set of results has nothing to be compared with"
    }
    if ($options['--figure'].Count -eq 0) {
        $options['--figure'] = @('rate_per_s', 'p99_ns')
    }
    if ($options['--baseline'] -ne '') {
        $script:sets += '--baseline=' + ($options['--baseline'] -replace '[\\/]$', '')
    }
    $out = $options['--out']
    if ((Test-Path -LiteralPath $out) -and @(Get-ChildItem -Force -LiteralPath $out).Count -gt 0) {
        Stop-Usage "--out: $out is not empty, and nothing in it is written over"
    }
}

# isobench with these words, and what it prints in a file as UTF-8, which is not there if that failed.
function Invoke-Into([string]$file, [string[]]$words) {
    if ($switches['--dry-run']) {
        Write-Output "isobench $words >$file"
        return
    }
    $lines = @(& $isobench @words)
    if ($LASTEXITCODE -ne 0) {
        exit $LASTEXITCODE
    }
    $path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($file)
    [IO.File]::WriteAllText($path, ($lines -join "`n") + "`n", (New-Object Text.UTF8Encoding $false))
}

function Compare-Figure([string]$figure) {
    $words = @('compare') + $sets + @("--figure=$figure")
    Invoke-Into "$out/$figure.txt" ($words + "--json=$out/$figure.json")
    Invoke-Into "$out/$figure.md" ($words + '--markdown')
    Invoke-Into "$out/$figure.csv" ($words + '--csv')
    if (-not $switches['--dry-run']) {
        Get-Content -Encoding UTF8 -LiteralPath "$out/$figure.txt" | Out-Host
    }
}

# Older builds have no command report.
function New-Report {
    $words = @('report') + $sets + @('-o', "$out/report.html")
    if ($switches['--dry-run']) {
        Write-Output "isobench $words"
    } elseif (@(& $isobench help) -match 'isobench report ') {
        & $isobench @words | Out-Host
        if ($LASTEXITCODE -ne 0) {
            exit $LASTEXITCODE
        }
        Say "$out/report.html"
    } else {
        Say "no report.html: $isobench has no command report"
    }
}

Test-Options @(Read-Options $args $options $switches $usage)
$isobench = Find-Program $options['--program']
$out = $options['--out']
[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false
if (-not $switches['--dry-run']) {
    New-Item -ItemType Directory -Force -Path $out | Out-Null
}
foreach ($figure in $options['--figure']) {
    if (-not $switches['--dry-run']) {
        Say $figure
    }
    Compare-Figure $figure
}
New-Report
exit 0
