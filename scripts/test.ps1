# Builds and tests on Windows. scripts/test.sh is its twin for Linux, and the one that lints.
$program = 'test.ps1'
. (Join-Path $PSScriptRoot 'lib.ps1')

$usage = @'
Usage: scripts\test.ps1 [OPTION]...
Builds with vcpkg's libraries and runs all tests: with Microsoft's compiler, then with clang-cl where it is installed.
The variable ISOBENCH_COMPILER (msvc or clang-cl) asks for one of them alone.

  --quick        Microsoft's compiler only
  --help         this text

What could not run here is listed at the end. Exit status 0: nothing failed. Running it again is safe.
'@

$quick = $false
foreach ($word in $args) {
    switch ($word) {
        '--quick' {
            $quick = $true
        }
        '--help' {
            Write-Host $usage
            exit 0
        }
        default {
            Stop-Usage "unknown option $word"
        }
    }
}

function Select-Preset {
    if ($env:ISOBENCH_COMPILER) {
        if (@('msvc', 'clang-cl') -notcontains $env:ISOBENCH_COMPILER) {
            Stop-Usage "ISOBENCH_COMPILER must be msvc or clang-cl, not $env:ISOBENCH_COMPILER"
        }
        return @($env:ISOBENCH_COMPILER)
    }
    if ($quick) {
        return @('msvc')
    }
    if (-not (Test-Command 'clang-cl')) {
        $script:skipped += 'clang-cl: not installed (Visual Studio Installer: C++ Clang Compiler for Windows)'
        return @('msvc')
    }
    return @('msvc', 'clang-cl')
}

function Test-Preset([string]$preset) {
    Build-Preset $preset @() @()
    Push-Location $root
    try {
        ctest --preset $preset | Out-Host
        if ($LASTEXITCODE -ne 0) {
            $script:failed += $preset
        }
    } finally {
        Pop-Location
    }
}

$failed = @()
$skipped = @()
Initialize-Tools
foreach ($preset in @(Select-Preset)) {
    Test-Preset $preset
}
foreach ($line in $skipped) {
    Say "could not run here: $line"
}
if ($failed.Count -gt 0) {
    Die "tests failed: $failed"
}
exit 0
